#include "interpole/evaluate/paired.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/evaluate/floors.hpp"
#include "interpole/evaluate/folds.hpp"
#include "interpole/evaluate/scores/action_matching.hpp"
#include "interpole/evaluate/scores/first_steps.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/observed/observed_process.hpp"
#include "interpole/learners/simple/bc.hpp"
#include "interpole/learners/simple/majority.hpp"

namespace interpole::evaluate {
namespace {

using ::testing::HasSubstr;

FoldTrees folds_of_diag(int patients) {
  FoldBuilder builder(3, 3, 1);
  for (const Record& record : environments::simulated_records(diag(), patients, 1)) builder.add(record.steps);
  return builder.build();
}

FoldPolicies predicted_by(const learners::Learner& learner, const FoldTrees& trees) {
  const Study study = testing::bias_study();
  FoldPolicies result{learner.name(), {}};
  for (std::size_t fold = 0; fold < trees.train.size(); ++fold) {
    result.policies.push_back(
        learner.fit(trees.train[fold], study, {}, quiet_sink())->policies(trees.test[fold]));
  }
  return result;
}

TEST(Paired, DifferencesAreThoseOfTheScoresAndTheIntervalHoldsThem) {
  const FoldTrees trees = folds_of_diag(120);
  const Structure structure = testing::bias_study().structure;
  const std::vector<FoldPolicies> both = {predicted_by(learners::majority_learner(), trees),
                                          predicted_by(learners::bc_learner(), trees)};
  const BootstrapOptions options{.replicates = 100, .seed = 3, .threads = 1};
  const PairedComparison paired = compare_in_pairs(trees.test, structure, both, "bc", options);
  ASSERT_EQ(paired.rows.size(), 1u);
  EXPECT_EQ(paired.rows[0].learner, "majority");
  double sum = 0.0;
  for (std::size_t fold = 0; fold < 3; ++fold) {
    const double expected = *score_actions(trees.test[fold], structure, both[0].policies[fold]).log_loss -
                            *score_actions(trees.test[fold], structure, both[1].policies[fold]).log_loss;
    EXPECT_NEAR(*paired.rows[0].log_loss.folds[fold], expected, 1e-12);
    sum += expected;
  }
  EXPECT_NEAR(*paired.rows[0].log_loss.mean, sum / 3, 1e-12);
  EXPECT_LT(paired.rows[0].log_loss.interval->low, sum / 3);
  EXPECT_GT(paired.rows[0].log_loss.interval->high, sum / 3);
  BootstrapOptions threaded = options;
  threaded.threads = 3;
  const PairedComparison again = compare_in_pairs(trees.test, structure, both, "bc", threaded);
  EXPECT_EQ(again.rows[0].auroc.interval->low, paired.rows[0].auroc.interval->low);
}

// Two learners that say the same differ by nothing, whatever patients are drawn.
TEST(Paired, ALearnerDoesNotDifferFromItself) {
  const FoldTrees trees = folds_of_diag(60);
  FoldPolicies twin = predicted_by(learners::bc_learner(), trees);
  twin.learner = "twin";
  const PairedComparison paired =
      compare_in_pairs(trees.test, testing::bias_study().structure,
                       {predicted_by(learners::bc_learner(), trees), twin}, "bc", {.replicates = 20});
  EXPECT_EQ(*paired.rows[0].log_loss.mean, 0.0);
  EXPECT_EQ(paired.rows[0].log_loss.interval->low, 0.0);
  EXPECT_EQ(paired.rows[0].log_loss.interval->high, 0.0);
}

LearnerScores row_with(const std::string& name, double auroc) {
  LearnerScores row;
  row.learner = name;
  row.auroc.mean = auroc;
  return row;
}

TEST(Floors, AreNamedWhereTheyAreNearlyAsGood) {
  CrossValidation result;
  result.learners = {row_with("interpole", 0.90), row_with("logistic", 0.895),
                     row_with("previous-action", 0.893), row_with("bc", 0.85), row_with("majority", 0.5)};
  const auto sentences = floor_sentences(result);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0],
              HasSubstr("who knows the last action knows nearly all: previous-action has an AUROC of 0.893"));
  EXPECT_THAT(sentences[0], HasSubstr("(interpole) 0.900"));
  EXPECT_THAT(sentences[1], HasSubstr("who counts"));
  result.learners[1].auroc.mean = 0.91;
  EXPECT_THAT(floor_sentences(result).back(), HasSubstr("logistic has the best AUROC, 0.910"));
  result.learners = {row_with("interpole", 0.90), row_with("bc", 0.8)};
  EXPECT_TRUE(floor_sentences(result).empty());
}

// A policy by last action and outcome, in a world that is so, leads to the distribution by which it is
// counted.
TEST(FirstSteps, OfTheRecordedPolicyAreNearlyThoseRecorded) {
  const Study study = testing::bias_study();
  const HistoryTree tree = environments::simulated_tree(plain_ward(), 4000, 1);
  Study ward_study = study;
  ward_study.structure = plain_ward().truth.structure;
  const auto bc = learners::bc_learner().fit(tree, ward_study, {}, quiet_sink());
  const auto majority = learners::majority_learner().fit(tree, ward_study, {}, quiet_sink());
  const double counted = *first_steps_variation(tree, tree, ward_study.structure, *bc);
  const double blind = *first_steps_variation(tree, tree, ward_study.structure, *majority);
  EXPECT_LT(counted, 0.03);
  EXPECT_GT(blind, 3.0 * counted);
}

TEST(FirstSteps, OfOneStepIsHalfTheSumOfDifferences) {
  // All wait first; the learner's chances of the first step are known.
  const Structure structure = testing::some_structure(2, 2, 1);
  Study study = testing::open_study(2, 2, 1);
  const std::vector<Record> records = {{"p", {{0, 0}}}, {"q", {{1, kMissing}}}, {"r", {{0, 0}}}};
  const HistoryTree tree = build_history_tree(2, records);
  class Even : public learners::FittedLearner {
    std::vector<double> policies(const HistoryTree& asked) const override {
      return std::vector<double>(asked.action_counts.size(), 0.5);
    }
    std::string fit_note() const override { return "made up"; }
    bool converged() const override { return true; }
  };
  // Step 1: 2/3 and 1/3 recorded against 1/2 and 1/2; after it nobody decides, as recorded.
  const double variation = *first_steps_variation(tree, tree, structure, Even());
  const learners::ObservedRecords recorded = learners::observed_records(tree, structure);
  const int steps = std::min<int>(kFirstSteps, static_cast<int>(recorded.steps.size()) - 1);
  EXPECT_NEAR(variation, (1.0 / 6.0 + 0.0) / steps, 1e-9);
}

}  // namespace
}  // namespace interpole::evaluate
