#include "interpole/evaluate/cross_validation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/ranks/thread_ranks_testing.hpp"
#include "interpole/base/stops_after_testing.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/learners/simple/bc.hpp"
#include "interpole/learners/simple/majority.hpp"

namespace interpole::evaluate {
namespace {

FoldTrees diag_folds(int patients, int folds) {
  FoldBuilder builder(3, folds, 1);
  for (const Record& record : environments::simulated_records(diag(), patients, 1)) builder.add(record.steps);
  return builder.build();
}

TEST(CrossValidation, ScoresEachFoldByAFitToTheOthers) {
  const FoldTrees trees = diag_folds(100, 4);
  const Study study = testing::bias_study();
  const CrossValidation result = cross_validate(
      trees, study, {&learners::bc_learner(), &learners::majority_learner()}, {}, quiet_sink());
  ASSERT_EQ(result.learners.size(), 2u);
  EXPECT_FALSE(result.interrupted);
  const LearnerScores& bc = result.learners[0];
  EXPECT_EQ(bc.learner, "bc");
  double sum = 0.0;
  double squares = 0.0;
  for (int fold = 0; fold < 4; ++fold) {
    const auto fitted = learners::bc_learner().fit(trees.train[fold], study, {}, quiet_sink());
    const double expected = *evaluate_learner(trees.test[fold], study.structure, *fitted).matching.log_loss;
    EXPECT_DOUBLE_EQ(*bc.folds[fold].log_loss, expected);
    sum += expected;
    squares += expected * expected;
  }
  EXPECT_NEAR(*bc.log_loss.mean, sum / 4, 1e-12);
  EXPECT_NEAR(*bc.log_loss.standard_error, std::sqrt((squares - sum * sum / 4) / 3 / 4), 1e-9);
  EXPECT_NEAR(*result.learners[1].auroc.mean, 0.5, 1e-12);  // the same chances everywhere rank nothing
}

// Learns as bc does, but fails or stops when told to.
class Troubled : public learners::Learner {
 public:
  explicit Troubled(ErrorKind kind) : kind_(kind) {}
  std::string name() const override { return "troubled"; }
  std::string description() const override { return "for tests"; }
  std::unique_ptr<learners::FittedLearner> fit(const HistoryTree&, const DecisionProblem&,
                                               const learners::LearnerOptions&, Sink&) const override {
    throw Error(kind_, "no good");
  }
  std::unique_ptr<learners::FittedLearner> load(const std::string&, const Structure&,
                                                const std::string&) const override {
    throw Error(kind_, "no good");
  }

 private:
  ErrorKind kind_;
};

TEST(CrossValidation, KeepsTheRowOfALearnerThatCannotLearnFromTheData) {
  const Troubled troubled(ErrorKind::kInput);
  const CrossValidation result = cross_validate(diag_folds(20, 2), testing::bias_study(),
                                                {&troubled, &learners::majority_learner()}, {}, quiet_sink());
  ASSERT_EQ(result.learners.size(), 2u);
  EXPECT_EQ(result.learners[0].failure, "no good");
  EXPECT_FALSE(result.learners[0].log_loss.mean);
  EXPECT_TRUE(result.learners[1].log_loss.mean);
}

TEST(CrossValidation, KeepsWhatIsFinishedWhenStopped) {
  const Troubled troubled(ErrorKind::kInterrupted);
  const CrossValidation result = cross_validate(
      diag_folds(20, 2), testing::bias_study(),
      {&learners::majority_learner(), &learners::bc_learner(), &troubled, &learners::bc_learner()}, {},
      quiet_sink());
  EXPECT_TRUE(result.interrupted);
  ASSERT_EQ(result.learners.size(), 2u);
  EXPECT_EQ(result.learners[0].learner, "majority");
  ASSERT_TRUE(result.paired);  // of those that were finished
  EXPECT_EQ(result.paired->reference, "bc");
  EXPECT_EQ(result.paired->rows.size(), 1u);
}

// R-BC hands over its best so far when it is stopped, which is no fit to compare.
TEST(CrossValidation, DoesNotCountAFitThatWasStopped) {
  base::StopsAfter sink(30);
  const CrossValidation result =
      cross_validate(diag_folds(20, 2), testing::bias_study(), {&learners::learner_named("r-bc")}, {}, sink);
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.learners.empty());
}

TEST(CrossValidation, SaysHowManyFitsAreInDoubt) {
  class Doubtful : public learners::FittedLearner {
    std::vector<double> policies(const HistoryTree& tree) const override {
      return std::vector<double>(tree.action_counts.size(), 1.0 / tree.action_count);
    }
    std::string fit_note() const override { return "badly"; }
    bool converged() const override { return false; }
    std::string doubt() const override { return "chains still differ"; }
  };
  class Doubting : public learners::Learner {
    std::string name() const override { return "doubting"; }
    std::string description() const override { return ""; }
    std::unique_ptr<learners::FittedLearner> fit(const HistoryTree&, const DecisionProblem&,
                                                 const learners::LearnerOptions&, Sink&) const override {
      return std::make_unique<Doubtful>();
    }
    std::unique_ptr<learners::FittedLearner> load(const std::string&, const Structure&,
                                                  const std::string&) const override {
      return nullptr;
    }
  };
  const Doubting doubting;
  const CrossValidation result = cross_validate(diag_folds(20, 4), testing::bias_study(),
                                                {&doubting, &learners::bc_learner()}, {}, quiet_sink());
  EXPECT_FALSE(result.learners[0].converged);
  EXPECT_EQ(result.learners[0].doubt, "chains still differ in 4 of 4 fits");
  EXPECT_TRUE(result.learners[1].converged);
  EXPECT_EQ(result.learners[1].doubt, "");
}

TEST(CrossValidation, DoesNotHideFailuresOfTheMachine) {
  const Troubled troubled(ErrorKind::kRuntime);
  EXPECT_THROW(cross_validate(diag_folds(20, 2), testing::bias_study(), {&troubled}, {}, quiet_sink()),
               Error);
}

TEST(CrossValidation, SaysHowFarItIs) {
  class CountingSink : public Sink {
   public:
    void progress(const std::string& what, std::int64_t done, std::int64_t total) override {
      EXPECT_EQ(what, "fits");
      EXPECT_EQ(total, 4);
      seen.push_back(done);
    }
    std::vector<std::int64_t> seen;
  } sink;
  cross_validate(diag_folds(20, 2), testing::bias_study(),
                 {&learners::bc_learner(), &learners::majority_learner()}, {}, sink);
  EXPECT_THAT(sink.seen, ::testing::ElementsAre(0, 1, 2, 3, 4));
}

// A learner that cannot learn among them.
TEST(CrossValidation, IsTheSameForAnyNumberOfRanks) {
  const FoldTrees trees = diag_folds(100, 4);
  const Study study = testing::bias_study();
  const Troubled troubled(ErrorKind::kInput);
  const std::vector<const learners::Learner*> learners = {&learners::bc_learner(), &troubled,
                                                          &learners::majority_learner()};
  const CrossValidation reference = cross_validate(trees, study, learners, {}, quiet_sink());
  for (const int ranks : {2, 5}) {
    base::run_as_ranks(ranks, [&](base::Ranks&) {
      const CrossValidation result = cross_validate(trees, study, learners, {}, quiet_sink());
      ASSERT_EQ(result.learners.size(), 3u);
      EXPECT_EQ(result.learners[1].failure, "no good");
      for (const std::size_t i : {0, 2}) {
        EXPECT_EQ(result.learners[i].log_loss.mean, reference.learners[i].log_loss.mean);
        EXPECT_EQ(result.learners[i].auroc.standard_error, reference.learners[i].auroc.standard_error);
        EXPECT_EQ(result.learners[i].first_steps.mean, reference.learners[i].first_steps.mean);
      }
      ASSERT_TRUE(result.paired);
      EXPECT_EQ(result.paired->rows[0].log_loss.mean, reference.paired->rows[0].log_loss.mean);
    });
  }
}

}  // namespace
}  // namespace interpole::evaluate
