#include "interpole/environments/adni/adni_patient.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "interpole/environments/adni/adni.hpp"

namespace interpole::environments {
namespace {

constexpr int kSimulatedPatients = 20000;
constexpr std::uint64_t kSeed = 3;

const std::vector<AdniPatient>& cohort() {
  static const std::vector<AdniPatient> patients = [] {
    std::vector<AdniPatient> list(kSimulatedPatients);
    const Environment environment = adni();
    for (int i = 0; i < kSimulatedPatients; ++i) simulate_adni_patient(environment, kSeed, i + 1, 0, list[i]);
    return list;
  }();
  return patients;
}

// Four standard errors of a proportion.
double error_of(double p, double n) {
  return 4.0 * std::sqrt(p * (1.0 - p) / n);
}

template <class Predicate>
double share(const Predicate& predicate) {
  return static_cast<double>(std::count_if(cohort().begin(), cohort().end(), predicate)) / kSimulatedPatients;
}

// The paper's rules, applied to the visits themselves: an account of what must be left that does not look at
// how the patient was made.
std::vector<Step> by_the_rules(const AdniPatient& patient) {
  std::map<int, const AdniVisit*> usable;
  for (const AdniVisit& visit : patient.visits) {
    const bool on_schedule = visit.code == "bl" || (visit.code.front() == 'm' && visit.code != "m03");
    if (on_schedule && visit.has_diagnosis && visit.has_cdr) usable[visit.month] = &visit;
  }
  std::vector<Step> steps;
  const AdniVisit* last = nullptr;
  for (int month = 0; usable.count(month) > 0; month += 6) {
    last = usable[month];
    steps.push_back({hippocampus_of(last->outcome) == kNotOrdered ? kNoMri : kMri, last->outcome});
  }
  if (last != nullptr && last->previous != last->state) steps.clear();
  return steps;
}

TEST(AdniPatient, TheRulesLeaveWhatIsExpected) {
  for (const AdniPatient& patient : cohort()) {
    ASSERT_EQ(by_the_rules(patient), patient.expected) << "patient " << patient.rid << ", seed " << kSeed;
  }
}

TEST(AdniPatient, TraitsAreThePapers) {
  double sum = 0.0;
  double square = 0.0;
  int known = 0;
  for (const AdniPatient& patient : cohort()) {
    if (patient.age_tenths < 0) continue;
    const double age = patient.age_tenths / 10.0;
    sum += age;
    square += age * age;
    ++known;
  }
  const double mean = sum / known;
  EXPECT_NEAR(mean, 73.9, 4.0 * 7.1 / std::sqrt(kSimulatedPatients));
  EXPECT_NEAR(std::sqrt(square / known - mean * mean), 7.1, 4.0 * 7.1 / std::sqrt(2.0 * kSimulatedPatients));
  EXPECT_NEAR(share([](const AdniPatient& p) { return p.female; }), 0.454,
              error_of(0.454, kSimulatedPatients));
  EXPECT_NEAR(share([](const AdniPatient& p) { return p.apoe4 > 0; }), 0.457,
              error_of(0.457, kSimulatedPatients));
}

TEST(AdniPatient, MriIsOrderedInFourOfFiveVisits) {
  double visits = 0.0;
  double ordered = 0.0;
  for (const AdniPatient& patient : cohort()) {
    visits += static_cast<double>(patient.expected.size());
    for (const Step& step : patient.expected) ordered += step.action == kMri;
  }
  // "Roughly 80%": two points of slack cover the Monte Carlo error (below half a point) and the dropped
  // endings.
  EXPECT_NEAR(ordered / visits, 0.80, 0.02);
}

TEST(AdniPatient, MostRecordsHaveThreeVisits) {
  std::map<std::size_t, double> lengths;
  for (const AdniPatient& patient : cohort()) ++lengths[patient.expected.size()];
  const double kept = kSimulatedPatients - lengths[0];
  EXPECT_GT(lengths[3] / kept, 0.5);
  EXPECT_EQ(lengths.rbegin()->first, kAdniVisits);  // some never miss a visit
  // The paper keeps 1,626 of 1,737 patients: 93.6%.
  EXPECT_NEAR(kept / kSimulatedPatients, 0.936, 0.01);
}

TEST(AdniPatient, TwoThirdsHaveSignsAtTheFirstVisit) {
  double first = 0.0;
  double signs = 0.0;
  for (const AdniPatient& patient : cohort()) {
    for (const AdniVisit& visit : patient.visits) {
      if (visit.code != "bl") continue;
      ++first;
      signs += visit.state != kNormal;
    }
  }
  const Environment environment = adni();
  const Dynamics& world = *environment.truth.world;
  double normal = 0.0;  // the state moves once before it is seen
  for (std::size_t s = 0; s < kAdniStates; ++s) normal += world.initial[s] * world.transition[s * 3];
  EXPECT_NEAR(signs / first, 1.0 - normal, error_of(normal, first));
  EXPECT_NEAR(1.0 - normal, 0.684, 0.01);  // the paper's
}

TEST(AdniPatient, EveryQuirkIsThere) {
  std::set<std::string_view> codes;
  bool later = false;
  bool no_diagnosis = false;
  bool no_rating = false;
  bool only_code = false;
  std::set<std::pair<int, int>> changes;
  for (const AdniPatient& patient : cohort()) {
    EXPECT_FALSE(patient.visits.empty());
    std::set<std::string_view> own;
    for (const AdniVisit& visit : patient.visits) {
      EXPECT_TRUE(own.insert(visit.code).second) << patient.rid << " has two rows " << visit.code;
      codes.insert(visit.code);
      no_diagnosis |= visit.scheduled && !visit.has_diagnosis;
      no_rating |= visit.scheduled && !visit.has_cdr;
      only_code |= visit.only_code;
      changes.insert({visit.previous, visit.state});
      later |= visit.scheduled && visit.month >= 6 * static_cast<int>(patient.expected.size() + 1);
    }
  }
  for (const char* code : {"sc", "bl", "m03", "m06", "m102", "m114", "nv", "uns1"})
    EXPECT_EQ(codes.count(code), 1) << code;
  EXPECT_TRUE(later);
  EXPECT_TRUE(no_diagnosis);
  EXPECT_TRUE(no_rating);
  EXPECT_TRUE(only_code);
  EXPECT_EQ(changes.size(), 9);
  EXPECT_NEAR(share([](const AdniPatient& p) {
                return std::none_of(p.visits.begin(), p.visits.end(), [](const AdniVisit& visit) {
                  return visit.code == "bl" && visit.has_diagnosis && visit.has_cdr;
                });
              }),
              0.025, error_of(0.025, kSimulatedPatients));
}

TEST(AdniPatient, APatientDependsOnSeedAndNumberAlone) {
  const Environment environment = adni();
  AdniPatient again;
  for (const int number : {20000, 17, 1}) {
    simulate_adni_patient(environment, kSeed, number, 0, again);
    EXPECT_EQ(again.expected, cohort()[number - 1].expected);
    EXPECT_EQ(again.age_tenths, cohort()[number - 1].age_tenths);
    EXPECT_EQ(again.visits.size(), cohort()[number - 1].visits.size());
  }
  AdniPatient other;
  simulate_adni_patient(environment, kSeed + 1, 1, 0, other);
  EXPECT_NE(other.age_tenths, cohort()[0].age_tenths);
}

TEST(AdniPatient, LongestCapsTheSixMonthlyVisits) {
  const auto records = expected_records({.patients = 500, .seed = 1, .longest = 3});
  EXPECT_GT(records.size(), 400);
  for (const Record& record : records) EXPECT_LE(record.steps.size(), 3);
  AdniPatient patient;
  for (int number = 1; number <= 500; ++number) {
    simulate_adni_patient(adni(), 1, number, 3, patient);
    for (const AdniVisit& visit : patient.visits) {
      EXPECT_TRUE(!visit.scheduled || visit.month <= 12) << patient.rid;
    }
  }
}

}  // namespace
}  // namespace interpole::environments
