#include "interpole/evaluate/state_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::evaluate {
namespace {

FoldTrees bias_folds(int patients, int folds, std::uint64_t seed) {
  const Study study = testing::bias_study();
  FoldBuilder builder(3, folds, 1);
  for (const auto& record :
       testing::random_records(study.structure, testing::bias_parameters(), patients, 60, seed, 0.0)) {
    builder.add(record.steps);
  }
  return builder.build();
}

TEST(Folds, HoldEveryRecordOutOnce) {
  const auto trees = bias_folds(103, 5, 1);
  std::int64_t held_out = 0;
  for (int fold = 0; fold < 5; ++fold) {
    EXPECT_EQ(trees.train[fold].records + trees.test[fold].records, 103);
    EXPECT_NEAR(static_cast<double>(trees.test[fold].records), 103.0 / 5.0, 1.0);
    held_out += trees.test[fold].records;
    EXPECT_EQ(trees.train[fold].decisions + trees.test[fold].decisions, trees.all.decisions);
  }
  EXPECT_EQ(held_out, 103);
}

TEST(Folds, NeedAsManyRecords) {
  EXPECT_THROW(bias_folds(3, 5, 1), Error);
  EXPECT_THROW(FoldBuilder(3, 1, 1), Error);
}

TEST(StateCounts, KeepsWhatDoesNotDependOnStates) {
  const DecisionProblem three = study_with_states(testing::bias_study(), 3);
  EXPECT_EQ(three.structure.state_count(), 3);
  EXPECT_TRUE(three.structure.is_terminal(1));
  EXPECT_EQ(three.known.policy.inverse_temperature, 10.0);
  EXPECT_EQ(three.known.dynamics.transition[4], 1.0);  // nobody changes while monitored
  EXPECT_EQ(three.known.dynamics.transition[5], 0.0);
  EXPECT_TRUE(std::isnan(three.known.dynamics.initial[0]));
}

TEST(StateCounts, OneStateForeseesDecisionsWorseThanTheTwoThatMadeThem) {
  const auto trees = bias_folds(400, 4, 2);
  learn::FitOptions options;
  options.restarts = 6;
  const auto result = compare_state_counts(trees, testing::bias_study(), 1, 2, options, quiet_sink());
  ASSERT_EQ(result.scores.size(), 2u);
  const auto& one = result.scores[0];
  const auto& two = result.scores[1];
  EXPECT_GT(two.held_out, one.held_out + 3.0 * std::hypot(one.held_out_error, two.held_out_error));
  EXPECT_GT(two.log_evidence, one.log_evidence + 10.0);
  // With one state all means are 1, so every action is as likely as any other.
  EXPECT_NEAR(one.held_out, -std::log(3.0), 1e-12);
  EXPECT_FALSE(result.left_out.empty());  // BIAS states its own initial belief and means
}

TEST(StateCounts, RefusesARangeThatIsNone) {
  const auto trees = bias_folds(20, 2, 3);
  EXPECT_THROW(compare_state_counts(trees, testing::bias_study(), 3, 2, {}, quiet_sink()), Error);
}

}  // namespace
}  // namespace interpole::evaluate
