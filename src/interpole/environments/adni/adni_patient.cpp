#include "interpole/environments/adni/adni_patient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "interpole/base/random.hpp"
#include "interpole/environments/adni/adni.hpp"

namespace interpole::environments {
namespace {

// How many six-monthly visits in a row, from baseline: 1, 2, … 20. Most patients have three (bl, m06, m12),
// because many protocols skip month 18; those that do not skip it mostly have five and skip month 30. A few
// never miss one.
constexpr std::array<double, kAdniVisits> kLengths = {0.06,   0.08,   0.58,   0.05,   0.18,   0.02,  0.015,
                                                      0.005,  0.001,  0.001,  0.001,  0.001,  0.001, 0.0005,
                                                      0.0005, 0.0005, 0.0005, 0.0005, 0.0005, 0.002};
constexpr double kNoBaseline = 0.025;
constexpr double kFollowedFurther = 0.7;  // comes again after the first missed visit
constexpr int kMostLaterVisits = 7;

constexpr std::array<std::string_view, kAdniVisits> kCodes = {
    "bl",  "m06", "m12", "m18", "m24", "m30", "m36", "m42",  "m48",  "m54",
    "m60", "m66", "m72", "m78", "m84", "m90", "m96", "m102", "m108", "m114"};

struct Plan {
  int complete = 0;  // visits in a row from baseline that have all the study needs
  int followed =
      0;  // six-monthly visits until the patient is lost; visit `complete` is missed or lacks something
  bool baseline = true;
};

bool chance(base::RandomStream& random, double probability) {
  return random.uniform() < probability;
}

Plan draw_plan(base::RandomStream& random, int longest) {
  Plan plan;
  plan.complete = 1 + random.categorical(kLengths);
  plan.followed = plan.complete;
  if (chance(random, kFollowedFurther)) {
    plan.followed += 1 + static_cast<int>(random.uniform() * kMostLaterVisits);
  }
  plan.complete = std::min(plan.complete, longest);
  plan.followed = std::min(plan.followed, longest);
  plan.baseline = !chance(random, kNoBaseline);
  return plan;
}

void draw_traits(base::RandomStream& random, AdniPatient& patient) {
  constexpr std::array kApoe4 = {0.543, 0.36, 0.097};  // 45.7% carriers
  constexpr std::array kProtocol = {0.47, 0.08, 0.45};
  const double age = std::clamp(73.9 + 7.1 * random.normal(), 50.0, 98.0);
  patient.age_tenths = chance(random, 0.003) ? -1 : static_cast<int>(std::lround(10.0 * age));
  patient.female = chance(random, 0.454);
  patient.apoe4 = random.categorical(kApoe4);
  patient.site = 2 + static_cast<int>(random.uniform() * 60);
  patient.protocol = random.categorical(kProtocol);
  constexpr std::array kEnrolment = {13'000, 14'600, 15'100};  // autumn 2005, end of 2009, spring 2011
  patient.baseline_day = kEnrolment[patient.protocol] + static_cast<int>(random.uniform() * 700);
}

// What keeps a visit out of the study although the patient came.
void spoil(base::RandomStream& random, AdniVisit& visit) {
  const double u = random.uniform();
  visit.has_diagnosis = u < 0.45;
  visit.has_cdr = u >= 0.45 && u < 0.9;  // one in ten lacks both
}

class VisitWriter {
 public:
  VisitWriter(base::RandomStream& random, const Record& path, const std::vector<int>& states,
              AdniPatient& patient)
      : random_(random), path_(path), states_(states), patient_(patient) {}

  AdniVisit& scheduled(int index) { return add(kCodes[index], 6 * index, index); }
  // Outside the schedule, at about the time of six-monthly visit `index`.
  AdniVisit& unscheduled(std::string_view code, int month, int index) {
    AdniVisit& visit = add(code, month, index);
    visit.scheduled = visit.only_code = false;
    return visit;
  }
  // Diagnoses are written as "previous to current" where they change between scheduled visits.
  void link_diagnoses() {
    int last = -1;
    for (AdniVisit& visit : patient_.visits) {
      visit.previous = visit.state;
      if (!visit.scheduled || !visit.has_diagnosis) continue;
      if (last >= 0) visit.previous = last;
      last = visit.state;
    }
  }

 private:
  AdniVisit& add(std::string_view code, int month, int index) {
    AdniVisit visit{code, month, states_[index], states_[index], path_.steps[index].observation};
    visit.only_code = chance(random_, 0.02);
    return patient_.visits.emplace_back(visit);
  }

  base::RandomStream& random_;
  const Record& path_;
  const std::vector<int>& states_;
  AdniPatient& patient_;
};

void write_baseline(base::RandomStream& random, const Plan& plan, VisitWriter& visits) {
  const bool absent = !plan.baseline && chance(random, 0.6);
  if (absent ||
      chance(random, 0.05)) {  // screening, before baseline: cognition was tested, nothing diagnosed
    visits.unscheduled("sc", -1, 0).has_diagnosis = chance(random, 0.5);
  }
  if (absent) return;
  AdniVisit& baseline = visits.scheduled(0);
  if (!plan.baseline) spoil(random, baseline);
}

// About the time of which six-monthly visit something happens that happens to few; −1: to this patient never.
int rarely(base::RandomStream& random, double probability, int visits) {
  return chance(random, probability) ? static_cast<int>(random.uniform() * visits) : -1;
}

void write_month_three(base::RandomStream& random, int protocol, VisitWriter& visits) {
  if (!chance(random, protocol == 2 ? 0.6 : 0.02)) return;  // ADNI2 took an MRI then, and little else
  AdniVisit& visit = visits.unscheduled("m03", 3, 0);
  visit.has_diagnosis = visit.has_cdr = chance(random, 0.1);
}

void write_scheduled(base::RandomStream& random, const Plan& plan, int index, VisitWriter& visits) {
  if (index < plan.complete) {
    visits.scheduled(index);
  } else if (index == plan.complete) {  // the gap: mostly no row at all
    if (chance(random, 0.25)) spoil(random, visits.scheduled(index));
  } else if (chance(random, index % 2 == 0 ? 0.8 : 0.1)) {  // later on visits are yearly
    AdniVisit& visit = visits.scheduled(index);
    if (chance(random, 0.1)) spoil(random, visit);
  }
}

void write_visits_of(base::RandomStream& random, const Plan& plan, int protocol, VisitWriter& visits) {
  const int extra = rarely(random, 0.03, plan.followed);
  const int missed = rarely(random, 0.03, plan.followed);
  for (int index = 0; index < plan.followed; ++index) {
    if (index == 0) {
      write_baseline(random, plan, visits);
      write_month_three(random, protocol, visits);
    } else {
      write_scheduled(random, plan, index, visits);
    }
    if (index == extra) visits.unscheduled("uns1", 6 * index + 2, index);
    if (index == missed) {  // "no visit": a form was filled in, the patient was not seen
      AdniVisit& visit = visits.unscheduled("nv", 6 * index + 4, index);
      visit.has_diagnosis = visit.has_cdr = false;
    }
  }
}

}  // namespace

void simulate_adni_patient(const Environment& environment, std::uint64_t seed, std::int64_t number,
                           int longest, AdniPatient& patient) {
  const int limit = longest > 0 ? std::min(longest, kAdniVisits) : kAdniVisits;
  base::RandomStream random(seed, static_cast<std::uint64_t>(number), base::RandomPurpose::kAdniPatient);
  patient.rid = number;
  patient.visits.clear();
  draw_traits(random, patient);
  const Plan plan = draw_plan(random, limit);

  Record path;
  std::vector<int> states;
  simulate_record(environment, seed, number, plan.followed, path, &states);
  VisitWriter visits(random, path, states, patient);
  write_visits_of(random, plan, patient.protocol, visits);
  visits.link_diagnoses();

  const int last = plan.complete - 1;
  const bool ambiguous = last > 0 && states[last] != states[last - 1];
  patient.expected.clear();
  if (plan.baseline && !ambiguous) {
    patient.expected.assign(path.steps.begin(), path.steps.begin() + plan.complete);
  }
}

std::vector<Record> expected_records(const SimulateOptions& options) {
  const Environment environment = adni();
  std::vector<Record> records;
  AdniPatient patient;
  for (std::int64_t number = 1; number <= options.patients; ++number) {
    simulate_adni_patient(environment, options.seed, number, options.longest, patient);
    if (!patient.expected.empty()) records.push_back({std::to_string(number), patient.expected});
  }
  return records;
}

}  // namespace interpole::environments
