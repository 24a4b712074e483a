// The audit where visits come at irregular times, of factors that are measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/environment.hpp"
#include "interpole/explain/audit/audit.hpp"
#include "interpole/explain/audit/measured_tests.hpp"
#include "interpole/explain/record/measured_branches.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

constexpr int kTestOfMarker = 1;

struct TimedClinic {
  explicit TimedClinic(int patients, Environment of = outpatient_clinic()) : environment(std::move(of)) {
    SimulateOptions options;
    options.patients = patients;
    options.seed = 6;
    simulate(environment, options, [&](const Record& record) { records.push_back(record); });
    tree = build_history_tree(structure.action_count(), records);
  }

  Environment environment;
  const Structure& structure = environment.truth.structure;
  OutcomeFactors factors = outcome_factors(structure);
  AuditRules rules = audit_rules(structure, factors, {});
  std::vector<Record> records;
  HistoryTree tree;

  const Dynamics& agent() const { return environment.truth.agent.dynamics; }
};

double how_far(std::span<const double> x, std::span<const double> y) {
  return std::hypot(x[0] - y[0], x[1] - y[1]);
}

// Markers drawn as they were expected so long after, one at a time.
TEST(TimedTests, MatchRandomDrawsOfWhatCouldHaveComeAfterTheGap) {
  TimedClinic clinic(1);
  Structure scratch = clinic.structure;
  const double values[] = {NAN, NAN, 10.0};
  MeasuredTests tests(clinic.structure, clinic.agent(), clinic.rules);
  std::vector<double> shares;
  for (const double gap : {0.5, 45.0}) {
    const std::vector<double> before = {0.97, 0.03};
    const Step step{kTestOfMarker, clinic.structure.outcomes.table->place_of(values),
                    clinic.structure.gaps.table->place_of(gap)};
    std::vector<double> expected(2), next(2);
    update_belief(clinic.structure, clinic.agent(), {step.action, kMissing, step.gap}, before, expected);
    base::RandomStream random(8, 1);
    constexpr int kDraws = 20000;
    int beyond = 0;
    for (int i = 0; i < kDraws; ++i) {
      const int state = random.categorical(expected);
      auto drawn = model::draw_outcome(clinic.structure, clinic.agent(), kTestOfMarker, state, random);
      drawn[0] = drawn[1] = NAN;  // what was seen beside it stays: nothing
      scratch.outcomes.table = std::make_shared<OutcomeTable>(3);
      update_belief(scratch, clinic.agent(),
                    {kTestOfMarker, scratch.outcomes.table->place_of(drawn), step.gap}, before, next);
      beyond += how_far(before, next) >= 0.15 ? 1 : 0;
    }
    shares.push_back(tests.share_moved(before, step, 0.15));
    EXPECT_NEAR(shares.back(), beyond / static_cast<double>(kDraws), 0.02) << gap;
  }
  EXPECT_GT(std::abs(shares[1] - shares[0]), 0.1);  // the longer ago, the more there is to learn
}

// Both criteria, record by record.
TEST(TimedAudit, MatchesTheDefinitions) {
  const TimedClinic clinic(300);
  AuditOptions options;
  options.certainty = 0.0;
  options.near_certain = 0.7;
  const Audit audit(clinic.tree, clinic.environment.truth, {}, clinic.rules, options);
  MeasuredTests tests(clinic.structure, clinic.agent(), clinic.rules);
  int flagged = 0, judged = 0, belated = 0;
  for (const Record& record : clinic.records) {
    const RecordAudit found = audit.of(record.steps);
    std::size_t at = 0;
    bool missed = false, confirmed = false;
    std::vector<double> belief = clinic.agent().initial, next(2);
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      const Step step = record.steps[t];
      const auto policy =
          action_probabilities(clinic.structure, clinic.environment.truth.agent.policy, belief);
      const auto likeliest = std::max_element(policy.begin(), policy.end()) - policy.begin();
      if (step.action != kTestOfMarker && likeliest == kTestOfMarker) missed = true;
      if (clinic.structure.is_terminal(step.action) || t + 1 == record.steps.size()) break;
      update_belief(clinic.structure, clinic.agent(), step, belief, next);
      if (clinic.rules.has_result(clinic.structure, step)) {
        ASSERT_LT(at, found.tests.size());
        const bool still = how_far(belief, next) < audit.least_move() &&
                           tests.share_moved(belief, step, audit.least_move()) <= kSeldom;
        EXPECT_EQ(found.tests[at++].uninformative, still);
        flagged += still ? 1 : 0;
        ++judged;
        confirmed |= missed && *std::max_element(next.begin(), next.end()) >= 0.7;
      }
      belief = next;
    }
    EXPECT_EQ(at, found.tests.size());
    EXPECT_EQ(found.belated, confirmed) << record.patient;
    belated += found.belated ? 1 : 0;
  }
  EXPECT_GT(flagged, 5);
  EXPECT_GT(judged, flagged + 50);
  EXPECT_GT(belated, 5);
}

TEST(TimedAudit, WeighsTestsByTheGapsThatFollowed) {
  const TimedClinic clinic(120);
  const Model& truth = clinic.environment.truth;
  const auto values = test_values(clinic.tree, truth, {kTestOfMarker}, 0);
  ASSERT_EQ(values.size(), 1U);
  TestValue done, not_done;
  for (const Record& record : clinic.records) {
    std::vector<double> belief = clinic.agent().initial, next(2), known = truth.world->initial;
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      const Step step = record.steps[t];
      const auto branches = action_branches(clinic.structure, truth.agent, belief, kTestOfMarker,
                                            WorldView{&*truth.world, known},
                                            context_after(std::span(record.steps).first(t)), step.gap);
      TestValue& sum = step.action == kTestOfMarker ? done : not_done;
      ++sum.visits;
      sum.information += branches.information;
      sum.information_world = sum.information_world.value_or(0.0) + *branches.information_world;
      *sum.decides += branches.decides ? 1.0 : 0.0;
      if (clinic.structure.is_terminal(step.action) || t + 1 == record.steps.size()) break;
      update_belief(clinic.structure, clinic.agent(), step, belief, next);
      belief.swap(next);
      update_belief(clinic.structure, *truth.world, step, known, next);
      known.swap(next);
    }
  }
  const auto same = [](const std::optional<TestValue>& found, const TestValue& sum) {
    ASSERT_TRUE(found);
    const auto visits = static_cast<double>(sum.visits);
    EXPECT_EQ(found->visits, sum.visits);
    EXPECT_NEAR(found->information, sum.information / visits, 1e-10);
    EXPECT_NEAR(*found->information_world, *sum.information_world / visits, 1e-10);
    EXPECT_NEAR(*found->decides, *sum.decides / visits, 1e-10);
  };
  same(values[0].done, done);
  same(values[0].not_done, not_done);
  EXPECT_GT(done.visits, 50);
}

// Simulated with the gaps and the empty cells that the records have.
TEST(UnlikelyRecords, TailsAreUniformForMeasuredRecordsOfTheModelItself) {
  for (const Environment& environment : {outpatient_clinic(), vitals()}) {
    const TimedClinic clinic(2000, environment);
    const UnlikelyRecords unlikely(clinic.tree, clinic.environment.truth, {});
    int below = 0, above = 0, named = 0;
    for (const Record& record : clinic.records) {
      const RecordEnd end = end_of(clinic.tree, record.steps);
      below += *unlikely.tail(end) <= 0.1 ? 1 : 0;
      above += *unlikely.tail(end) >= 0.5 ? 1 : 0;
      named += unlikely.is_unlikely(end) ? 1 : 0;
    }
    // 10% and 50% of 2,000 with standard deviations 13 and 22.
    EXPECT_NEAR(below, 200, 45) << environment.name;
    EXPECT_NEAR(above, 1000, 80) << environment.name;
    EXPECT_LE(named, 2) << environment.name;
  }
}

}  // namespace
}  // namespace interpole::explain
