#include "interpole/evaluate/scores/mismatch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/environments/models_testing.hpp"

namespace interpole::evaluate {
namespace {

using ::testing::HasSubstr;

Mismatch mismatch_on(const HistoryTree& tree, const Model& truth, const Model& fit) {
  return mismatch(tree, node_divergences(
                            tree, truth, inference::node_beliefs(tree, truth.structure, truth.agent.dynamics),
                            fit, inference::node_beliefs(tree, fit.structure, fit.agent.dynamics)));
}

double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0.0) sum += p[i] * std::log(p[i] / q[i]);
  }
  return sum;
}

TEST(Mismatch, IsTheMeanOverAllDecisionsOfAllRecords) {
  const Model truth = bias().truth;
  const Model fit = environments::random_model(truth.structure, 12);
  const std::vector<Record> records = environments::simulated_records(bias(), 200, 5);
  double belief_sum = 0.0;
  double policy_sum = 0.0;
  int decisions = 0;
  std::vector<double> next(2);
  for (const Record& record : records) {
    std::vector<double> b_true = truth.agent.dynamics.initial;
    std::vector<double> b_fit = fit.agent.dynamics.initial;
    for (const Step& step : record.steps) {
      belief_sum += divergence(b_true, b_fit);
      policy_sum += divergence(action_probabilities(truth.structure, truth.agent.policy, b_true),
                               action_probabilities(fit.structure, fit.agent.policy, b_fit));
      ++decisions;
      if (truth.structure.is_terminal(step.action)) break;
      update_belief(truth.structure, truth.agent.dynamics, step.action, step.observation, b_true, next);
      b_true.swap(next);
      update_belief(fit.structure, fit.agent.dynamics, step.action, step.observation, b_fit, next);
      b_fit.swap(next);
    }
  }
  const Mismatch result = mismatch_on(build_history_tree(3, records), truth, fit);
  EXPECT_NEAR(*result.belief, belief_sum / decisions, 1e-12 * belief_sum);
  EXPECT_NEAR(*result.policy, policy_sum / decisions, 1e-12 * policy_sum);
  EXPECT_EQ(result.infinite_beliefs, 0);
  EXPECT_GT(*result.belief, 0.0);
  EXPECT_GT(*result.policy, 0.0);
}

TEST(Mismatch, OfIdenticalMindsIsExactlyZero) {
  for (const Environment& environment : {diag(), bias(), decision_tree()}) {
    const HistoryTree tree = environments::simulated_tree(environment, 300, 2);
    const Mismatch result = mismatch_on(tree, environment.truth, environment.truth);
    EXPECT_EQ(result.belief, 0.0) << environment.name;
    EXPECT_EQ(result.policy, 0.0) << environment.name;
  }
}

TEST(Mismatch, DoesNotDependOnTheOrderOfStates) {
  const HistoryTree tree = environments::simulated_tree(decision_tree(), 300, 2);
  const Model truth = environments::random_model(decision_tree().truth.structure, 21);
  const Model fit = environments::random_model(decision_tree().truth.structure, 22);
  const std::vector<int> order = {3, 1, 4, 0, 2};
  const Mismatch here = mismatch_on(tree, truth, fit);
  const Mismatch there = mismatch_on(tree, permute_states(truth, order), permute_states(fit, order));
  EXPECT_NEAR(*here.belief, *there.belief, 1e-13 * *here.belief);
  EXPECT_NEAR(*here.policy, *there.policy, 1e-13 * *here.policy);
}

TEST(Mismatch, IsInfiniteWhereTheFitRulesOutAStateThatIsPossible) {
  const Model truth = diag().truth;
  Model fit = truth;
  fit.agent.dynamics.initial = {1.0, 0.0};
  const HistoryTree tree = environments::simulated_tree(diag(), 20, 3);
  const Mismatch result = mismatch_on(tree, truth, fit);
  EXPECT_FALSE(result.belief);
  EXPECT_EQ(result.infinite_beliefs, tree.decisions);
  EXPECT_TRUE(result.policy && std::isfinite(*result.policy));
  EXPECT_TRUE(mismatch_on(tree, fit, truth).belief);  // the other way round it is finite
}

TEST(Mismatch, WithoutDecisionsIsUndefined) {
  const HistoryTree tree = build_history_tree(3, {});
  const Mismatch result = mismatch_on(tree, diag().truth, diag().truth);
  EXPECT_FALSE(result.belief);
  EXPECT_FALSE(result.policy);
}

TEST(KlDivergence, HandlesZeros) {
  const auto kl = [](std::vector<double> p, std::vector<double> q) { return kl_divergence(p, q); };
  EXPECT_EQ(kl({0.0, 1.0}, {0.0, 1.0}), 0.0);
  EXPECT_NEAR(*kl({0.0, 1.0}, {0.5, 0.5}), std::log(2.0), 1e-15);
  EXPECT_FALSE(kl({0.5, 0.5}, {0.0, 1.0}));
}

TEST(AlignedTo, MatchesStatesByName) {
  const Model model = bias().truth;
  const Model swapped = permute_states(model, {1, 0});
  EXPECT_NE(swapped, model);
  EXPECT_EQ(aligned_to(model.structure, swapped), model);
}

TEST(AlignedTo, NamesWhatDiffers) {
  const auto message = [](const Model& model) -> std::string {
    return base::complaint_of([&] { aligned_to(diag().truth.structure, model); });
  };
  Model model = diag().truth;
  model.structure.states[1] = "ill";
  EXPECT_THAT(message(model), HasSubstr("[healthy, diseased] and [healthy, ill]"));
  model = diag().truth;
  std::swap(model.structure.actions[1], model.structure.actions[2]);
  EXPECT_THAT(message(model), HasSubstr("differ in their actions"));
  model = diag().truth;
  model.structure.observations[0] = "none";
  EXPECT_THAT(message(model), HasSubstr("differ in their observations"));
}

}  // namespace
}  // namespace interpole::evaluate
