#include "interpole/explain/audit/measured_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/counterfactual.hpp"
#include "interpole/environment.hpp"
#include "interpole/explain/audit/audit.hpp"
#include "interpole/explain/record/measured_branches.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

constexpr int kWatchAction = 0, kMeasureAction = 1, kPressure = 0, kLactate = 1;

struct Unit {
  Environment environment = vitals();
  Structure& structure = environment.truth.structure;
  OutcomeFactors factors = outcome_factors(environment.truth.structure);
  AuditRules rules = audit_rules(environment.truth.structure, factors, {});
  const Dynamics& agent() const { return environment.truth.agent.dynamics; }
  Step step(int action, double pressure, double lactate, double breaths) const {
    const double values[] = {pressure, lactate, breaths};
    return {action, environment.truth.structure.outcomes.table->place_of(values)};
  }
};

double moved(std::span<const double> x, std::span<const double> y) {
  return std::hypot(x[0] - y[0], x[1] - y[1]);
}

TEST(MeasuredTests, AreThoseThatMeasureMore) {
  const Unit unit;
  EXPECT_EQ(unit.rules.tests(), (std::vector{kMeasureAction}));
  EXPECT_TRUE(unit.rules.is_own(kMeasureAction, kLactate));
  EXPECT_FALSE(unit.rules.is_own(kMeasureAction, kPressure));  // seen without it too
  EXPECT_TRUE(unit.rules.has_result(unit.structure, unit.step(kMeasureAction, NAN, 2.0, NAN)));
  EXPECT_FALSE(unit.rules.has_result(unit.structure, unit.step(kMeasureAction, 70.0, NAN, 20.0)));
  EXPECT_FALSE(unit.rules.has_result(unit.structure, unit.step(kWatchAction, 70.0, NAN, 20.0)));
  EXPECT_FALSE(unit.rules.has_result(unit.structure, {kMeasureAction, kMissing}));
}

// Lactates drawn as the decision-maker expected them after what else was seen, one at a time.
TEST(MeasuredTests, MatchRandomDrawsOfWhatCouldHaveCome) {
  const Unit unit;
  for (const double believed : {0.02, 0.3, 0.8}) {
    const std::vector<double> before = {1.0 - believed, believed};
    const Step step = unit.step(kMeasureAction, 66.0, 2.3, 19.0);
    std::vector<double> expected(2);
    const Step beside = unit.step(kMeasureAction, 66.0, NAN, 19.0);
    update_belief(unit.structure, unit.agent(), beside.action, beside.observation, before, expected);
    base::RandomStream random(5, 1);
    std::vector<double> moves, next(2);
    Structure scratch = unit.structure;
    for (int i = 0; i < 40000; ++i) {
      const int state = random.categorical(expected);
      const auto drawn = model::draw_outcome(unit.structure, unit.agent(), kMeasureAction, state, random);
      scratch.outcomes.table = std::make_shared<OutcomeTable>(3);
      const double values[] = {66.0, drawn[kLactate], 19.0};
      const int place = scratch.outcomes.table->place_of(values);
      update_belief(scratch, unit.agent(), kMeasureAction, place, before, next);
      moves.push_back(moved(before, next));
    }
    std::sort(moves.begin(), moves.end());
    MeasuredTests tests(unit.structure, unit.agent(), unit.rules);
    for (const double least : {0.05, 0.15, 0.4}) {
      const auto beyond = moves.end() - std::lower_bound(moves.begin(), moves.end(), least);
      EXPECT_NEAR(tests.share_moved(before, step, least), static_cast<double>(beyond) / 40000.0, 0.015)
          << believed << ", " << least;
    }
    const double reach = tests.reach(before, step);
    const auto farther = moves.end() - std::upper_bound(moves.begin(), moves.end(), reach);
    EXPECT_NEAR(static_cast<double>(farther) / 40000.0, kSeldom, 0.02) << believed;  // of 128 points a state
    // The two say the same of any threshold.
    EXPECT_GT(tests.share_moved(before, step, reach), kSeldom);
    EXPECT_LE(tests.share_moved(before, step, std::nextafter(reach, 2.0)), kSeldom);
  }
}

TEST(MeasuredTests, VaryOnlyWhatWasMeasured) {
  const Unit unit;
  const std::vector<double> before = {0.6, 0.4};
  MeasuredTests tests(unit.structure, unit.agent(), unit.rules);
  const double with = tests.reach(before, unit.step(kMeasureAction, 66.0, 2.3, 19.0));
  const double other_lactate = tests.reach(before, unit.step(kMeasureAction, 66.0, 9.0, 19.0));
  const double other_pressure = tests.reach(before, unit.step(kMeasureAction, 90.0, 2.3, 19.0));
  EXPECT_EQ(with, other_lactate);  // it is what varies
  EXPECT_NE(with, other_pressure);
}

// Both criteria applied record by record.
TEST(Audit, OfMeasuredFactorsMatchesTheDefinitions) {
  Unit unit;
  SimulateOptions simulation;
  simulation.patients = 200;
  simulation.seed = 4;
  std::vector<Record> records;
  simulate(unit.environment, simulation, [&](const Record& record) { records.push_back(record); });
  const HistoryTree tree = build_history_tree(3, records);
  AuditOptions options;
  options.certainty = 0.0;
  const Audit audit(tree, unit.environment.truth, {}, unit.rules, options);
  MeasuredTests tests(unit.structure, unit.agent(), unit.rules);
  int flagged = 0, judged = 0;
  for (const Record& record : records) {
    const RecordAudit found = audit.of(record.steps);
    std::size_t at = 0;
    std::vector<double> belief = unit.agent().initial, next(2);
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      const Step step = record.steps[t];
      if (unit.structure.is_terminal(step.action)) break;
      update_belief(unit.structure, unit.agent(), step.action, step.observation, belief, next);
      if (unit.rules.has_result(unit.structure, step)) {
        ASSERT_LT(at, found.tests.size());
        EXPECT_EQ(found.tests[at].visit, static_cast<int>(t));
        const bool still = moved(belief, next) < audit.least_move() &&
                           tests.share_moved(belief, step, audit.least_move()) <= kSeldom;
        EXPECT_EQ(found.tests[at].uninformative, still);
        flagged += still ? 1 : 0;
        ++judged;
        ++at;
      }
      belief = next;
    }
    EXPECT_EQ(at, found.tests.size());
  }
  EXPECT_GT(flagged, 5);
  EXPECT_GT(judged, flagged + 50);
}

TEST(ExpectedInformation, OfMeasurementsMatchesRandomDraws) {
  const Unit unit;
  const std::vector<double> belief = {0.6, 0.4};
  std::vector<double> predicted(2), next(2);
  update_belief(unit.structure, unit.agent(), kMeasureAction, kMissing, belief, predicted);
  base::RandomStream random(9, 1);
  double bits = 0.0;
  constexpr int kDraws = 60000;
  Structure scratch = unit.structure;
  for (int i = 0; i < kDraws; ++i) {
    const int state = random.categorical(predicted);
    const auto drawn = model::draw_outcome(unit.structure, unit.agent(), kMeasureAction, state, random);
    scratch.outcomes.table = std::make_shared<OutcomeTable>(3);
    const int place = scratch.outcomes.table->place_of(drawn);
    update_belief(scratch, unit.agent(), kMeasureAction, place, belief, next);
    bits += std::log2(next[state] / predicted[state]) / kDraws;
  }
  // As near as 128 points a state get to an integral over three factors.
  EXPECT_NEAR(expected_information(unit.structure, unit.agent(), belief, kMeasureAction), bits, 0.03);
  const auto branches = action_branches(unit.structure, unit.environment.truth.agent, belief, kMeasureAction);
  EXPECT_TRUE(branches.outcomes.empty());
  EXPECT_TRUE(branches.decides);
  EXPECT_GT(branches.expected_change, 0.05);
}

}  // namespace
}  // namespace interpole::explain
