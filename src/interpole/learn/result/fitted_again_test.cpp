#include "interpole/learn/result/fitted_again.hpp"

#include <gtest/gtest.h>

#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"

namespace interpole::learn {
namespace {

FitResult bias_fit(const HistoryTree& tree, DynamicsMode dynamics) {
  FitOptions options;
  options.dynamics = dynamics;
  options.restarts = 2;
  return result_of(fit(tree, testing::bias_study(), options, quiet_sink()), "");
}

TEST(FittedAgain, WithOneSetOfDynamicsIsTheSharedFit) {
  const HistoryTree tree = testing::bias_tree(400, 3);
  const Priors priors = testing::bias_study().priors;
  const FitResult shared = bias_fit(tree, DynamicsMode::kShared);
  const auto one =
      with_one_set_of_dynamics(bias_fit(tree, DynamicsMode::kCoupled), priors, tree, 1, quiet_sink());
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->model.world);
  EXPECT_TRUE(one->has_uncertainty());
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(one->model.agent.dynamics.observation[i], shared.model.agent.dynamics.observation[i], 1e-4);
  }
}

TEST(FittedAgain, NeedsAWorldToBringTogetherWithTheAgent) {
  const HistoryTree tree = testing::bias_tree(100, 3);
  const FitResult shared = bias_fit(tree, DynamicsMode::kShared);
  EXPECT_FALSE(with_one_set_of_dynamics(shared, testing::bias_study().priors, tree, 1, quiet_sink()));
}

TEST(FittedAgain, HasTermsAsWideAsTheirWeights) {
  FitResult result = bias_fit(testing::bias_tree(100, 3), DynamicsMode::kShared);
  PolicyTerm habit;
  habit.weights = {0.3, -0.3, 0.3, -0.3};
  PolicyTerm hardly;
  hardly.weights = {1e-3, -1e-3};
  result.model.agent.policy.terms.additive = {habit, hardly};
  const Priors priors = testing::bias_study().priors;
  const DecisionProblem problem = problem_of(result, priors);
  ASSERT_EQ(problem.priors.term_scales.size(), 2U);
  EXPECT_NEAR(problem.priors.term_scales[0], 0.3, 1e-12);
  EXPECT_EQ(problem.priors.term_scales[1], 0.1);
  EXPECT_EQ(problem_of(result, problem.priors).priors, problem.priors);
}

}  // namespace
}  // namespace interpole::learn
