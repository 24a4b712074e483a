// Scores of any learner, and how sure they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/interpole/fitted_model.hpp"
#include "interpole/learners/simple/bc.hpp"
#include "interpole/learners/simple/majority.hpp"

namespace interpole::evaluate {
namespace {

// A model that does not let on that it is one.
class Disguised : public learners::FittedLearner {
 public:
  explicit Disguised(const Model& model, bool has_beliefs = true)
      : model_(model, "given", true), has_beliefs_(has_beliefs) {}
  std::vector<double> policies(const HistoryTree& tree) const override { return model_.policies(tree); }
  std::optional<std::vector<double>> beliefs(const HistoryTree& tree) const override {
    return has_beliefs_ ? model_.beliefs(tree) : std::nullopt;
  }
  std::string fit_note() const override { return "given"; }
  bool converged() const override { return true; }

 private:
  learners::FittedModel model_;
  bool has_beliefs_;
};

TEST(LearnerEvaluation, OfAModelInDisguiseIsThatOfTheModel) {
  for (const Environment& environment : {diag(), decision_tree()}) {
    const Structure& structure = environment.truth.structure;
    const Model model = environments::random_model(structure, 21);
    const HistoryTree tree = environments::simulated_tree(environment, 150, 2);
    EvaluationOptions options;
    options.bootstrap.replicates = 20;
    options.stopping_time.longest = 60;  // a random mind may never stop
    const Evaluation direct = evaluate_model(tree, model, &environment.truth, options);
    const Evaluation disguised =
        evaluate_learner(tree, structure, Disguised(model), &environment.truth, options);
    EXPECT_NEAR(*disguised.log_likelihood.actions, *direct.log_likelihood.actions,
                1e-9 * std::abs(*direct.log_likelihood.actions));
    EXPECT_FALSE(disguised.log_likelihood.observations || disguised.log_likelihood.total);
    EXPECT_EQ(disguised.matching.auroc, direct.matching.auroc);
    EXPECT_EQ(disguised.matching.log_loss, direct.matching.log_loss);
    EXPECT_NEAR(*disguised.mismatch->belief, *direct.mismatch->belief, 1e-12);
    EXPECT_NEAR(*disguised.mismatch->policy, *direct.mismatch->policy, 1e-12);
    EXPECT_EQ(disguised.stopping_time->independent_of_each, direct.stopping_time->independent_of_each);
    EXPECT_EQ(disguised.stopping_time->common_of_each, direct.stopping_time->common_of_each);
    EXPECT_EQ(disguised.stopping_time->unfinished, direct.stopping_time->unfinished);
    EXPECT_EQ(disguised.intervals->all.auroc->low, direct.intervals->all.auroc->low);
  }
}

TEST(LearnerEvaluation, WithoutBeliefsHasNoBeliefMismatch) {
  const Model truth = diag().truth;
  const HistoryTree tree = environments::simulated_tree(diag(), 100, 2);
  const Evaluation evaluation = evaluate_learner(tree, truth.structure, Disguised(truth, false), &truth);
  EXPECT_FALSE(evaluation.mismatch->belief);
  EXPECT_EQ(evaluation.mismatch->infinite_beliefs, 0);
  EXPECT_NEAR(*evaluation.mismatch->policy, 0.0, 1e-12);
  EXPECT_EQ(*evaluation.stopping_time->common, 0.0);
}

TEST(LearnerEvaluation, BcBeatsTheMajorityOnDiag) {
  const HistoryTree train = environments::simulated_tree(diag(), 500, 1);
  const HistoryTree test = environments::simulated_tree(diag(), 500, 2);
  const Study study = testing::bias_study();
  const auto log_loss = [&](const learners::Learner& learner) {
    return *evaluate_learner(test, study.structure, *learner.fit(train, study, {}, quiet_sink()))
                .matching.log_loss;
  };
  EXPECT_LT(log_loss(learners::bc_learner()), log_loss(learners::majority_learner()));
}

TEST(Intervals, HoldTheEstimateAndAreFixedByTheirSeed) {
  const Model truth = bias().truth;
  const HistoryTree tree = environments::simulated_tree(bias(), 200, 3);
  EvaluationOptions options;
  options.bootstrap = {.replicates = 100, .seed = 4, .threads = 1};
  const Evaluation one = evaluate_model(tree, truth, nullptr, options);
  options.bootstrap.threads = 3;
  const Evaluation three = evaluate_model(tree, truth, nullptr, options);
  options.bootstrap.seed = 5;
  const Evaluation other = evaluate_model(tree, truth, nullptr, options);
  const auto check = [&](const std::optional<double>& value, auto member) {
    const Interval interval = *(one.intervals->all.*member);
    EXPECT_LT(interval.low, *value);
    EXPECT_GT(interval.high, *value);
    EXPECT_EQ(interval.low, (three.intervals->all.*member)->low);
    EXPECT_NE(interval.low, (other.intervals->all.*member)->low);
  };
  check(one.matching.log_loss, &ScoreIntervals::log_loss);
  check(one.matching.brier, &ScoreIntervals::brier);
  check(one.matching.auroc, &ScoreIntervals::auroc);
  check(one.matching.auprc, &ScoreIntervals::auprc);
  EXPECT_EQ(one.intervals->actions.size(), 3u);
}

// 95% intervals of 120 data sets; the truth of the log-loss is that of a very large one. Fewer than 104 hits
// have a chance below 1% if the coverage is 92% or better, as it should be at 100 patients.
TEST(Intervals, CoverTheTruth) {
  const Model model = diag().truth;
  const double truth =
      *evaluate_model(environments::simulated_tree(diag(), 50000, 99), model).matching.log_loss;
  EvaluationOptions options;
  options.bootstrap = {.replicates = 100, .seed = 1, .threads = 1};
  int hits = 0;
  for (int i = 0; i < 120; ++i) {
    const auto intervals =
        *evaluate_model(environments::simulated_tree(diag(), 100, 200 + i), model, nullptr, options)
             .intervals;
    hits += intervals.all.log_loss->low < truth && truth < intervals.all.log_loss->high;
  }
  EXPECT_GE(hits, 104);
  EXPECT_LT(hits, 120);  // intervals that always hold the truth are too wide
}

TEST(Intervals, OfMismatchesAndStoppingTimes) {
  const Model truth = diag().truth;
  const Model fit = bias().truth;
  EvaluationOptions options;
  options.bootstrap.replicates = 50;
  const Evaluation evaluation =
      evaluate_model(environments::simulated_tree(diag(), 200, 3), fit, &truth, options);
  const EvaluationIntervals& intervals = *evaluation.intervals;
  const auto expect_inside = [](const std::optional<Interval>& interval, double value) {
    ASSERT_TRUE(interval);
    EXPECT_LT(interval->low, value);
    EXPECT_GT(interval->high, value);
  };
  expect_inside(intervals.belief_mismatch, *evaluation.mismatch->belief);
  expect_inside(intervals.policy_mismatch, *evaluation.mismatch->policy);
  expect_inside(intervals.stopping_time_independent, *evaluation.stopping_time->independent);
  expect_inside(intervals.stopping_time_common, *evaluation.stopping_time->common);
}

TEST(Intervals, AreMissingWhereTheScoreIs) {
  // Nobody is ever declared healthy: no AUROC of that action, whichever patients are drawn.
  const std::vector<Record> records = {{"p", {{0, 1}, {2, kMissing}}},
                                       {"q", {{0, 0}, {0, 1}, {2, kMissing}}}};
  EvaluationOptions options;
  options.bootstrap.replicates = 30;
  const Evaluation evaluation =
      evaluate_model(build_history_tree(3, records), diag().truth, nullptr, options);
  EXPECT_FALSE(evaluation.intervals->actions[1].auroc);
  EXPECT_TRUE(evaluation.intervals->all.brier);
}

// Predictions that were made to fit these very data have no error here, and some everywhere else.
TEST(Intervals, OfTheCalibrationErrorHoldItEvenAtZero) {
  const HistoryTree tree = environments::simulated_tree(diag(), 300, 1);
  const Study study = testing::bias_study();
  const auto fitted = learners::bc_learner().fit(tree, study, {.set = {{"smoothing", 1e-9}}}, quiet_sink());
  EvaluationOptions options;
  options.bootstrap.replicates = 50;
  const Evaluation evaluation = evaluate_learner(tree, study.structure, *fitted, nullptr, options);
  EXPECT_NEAR(*evaluation.matching.calibration_error, 0.0, 1e-9);
  EXPECT_EQ(evaluation.intervals->all.calibration_error->low, *evaluation.matching.calibration_error);
  EXPECT_GT(evaluation.intervals->all.calibration_error->high, 1e-4);
}

TEST(Intervals, RefuseNonsense) {
  EXPECT_THROW(BootstrapOptions{.replicates = -1}.validate(), Error);
  EXPECT_THROW((BootstrapOptions{.replicates = 1, .level = 1.0}.validate()), Error);
}

}  // namespace
}  // namespace interpole::evaluate
