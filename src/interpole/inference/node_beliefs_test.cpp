#include "interpole/inference/node_beliefs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/environments/models_testing.hpp"

namespace interpole::inference {
namespace {

TEST(NodeBeliefs, AreThoseOfEveryRecordFollowedByHand) {
  const Structure structure = decision_tree().truth.structure;
  const Model model = environments::random_model(structure, 4);
  std::vector<Record> records = environments::simulated_records(decision_tree(), 300, 1);
  for (std::size_t i = 0; i < records.size(); i += 7) records[i].steps[0].observation = kMissing;
  const HistoryTree tree = build_history_tree(structure.action_count(), records);
  const NodeBeliefs beliefs = node_beliefs(tree, structure, model.agent.dynamics);
  ASSERT_FALSE(beliefs.impossible);
  for (const Record& record : records) {
    const std::vector<std::int32_t> path = tree.path_of(record.steps);
    std::vector<double> belief = model.agent.dynamics.initial;
    std::vector<double> next(belief.size());
    double chance = 1.0;
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      for (std::size_t s = 0; s < belief.size(); ++s) ASSERT_EQ(beliefs.at(path[t])[s], belief[s]);
      ASSERT_NEAR(beliefs.outcome_probability[path[t]], chance, 1e-14);
      const Step step = record.steps[t];
      if (structure.is_terminal(step.action)) break;
      chance = update_belief(structure, model.agent.dynamics, step.action, step.observation, belief, next);
      belief.swap(next);
    }
  }
}

TEST(NodeBeliefs, NameTheFirstImpossibleNode) {
  Model model = diag().truth;
  model.agent.dynamics.observation = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};  // never positive
  const std::vector<Record> records = {{"a", {{0, 0}, {0, 0}, {1, kMissing}}},
                                       {"b", {{0, 0}, {0, 1}, {2, kMissing}}}};
  const HistoryTree tree = build_history_tree(3, records);
  const NodeBeliefs beliefs = node_beliefs(tree, model.structure, model.agent.dynamics);
  ASSERT_TRUE(beliefs.impossible);
  EXPECT_EQ(tree.depth[*beliefs.impossible], 2);
  EXPECT_EQ(tree.first_record[*beliefs.impossible], 1);
  for (const double b : beliefs.beliefs) EXPECT_TRUE(std::isfinite(b));
}

TEST(NodeBeliefs, RefuseATreeOfOtherActions) {
  const HistoryTree tree = environments::simulated_tree(decision_tree(), 3, 1);
  const Model model = diag().truth;
  EXPECT_THAT(base::complaint_of([&] { node_beliefs(tree, model.structure, model.agent.dynamics); }),
              ::testing::HasSubstr("5 actions, the model has 3"));
}

TEST(LogActionProbabilities, AreTheLogarithmsOfThePolicy) {
  const Model model = environments::random_model(decision_tree().truth.structure, 9);
  const std::vector<double> belief = {0.1, 0.2, 0.3, 0.25, 0.15};
  const std::vector<double> policy = action_probabilities(model.structure, model.agent.policy, belief);
  std::vector<double> logs(policy.size());
  log_action_probabilities(model.structure, model.agent.policy, belief, logs);
  for (std::size_t a = 0; a < logs.size(); ++a) EXPECT_NEAR(logs[a], std::log(policy[a]), 1e-13);
}

TEST(LogActionProbabilities, StayFiniteWhereThePolicyUnderflows) {
  Model model = diag().truth;
  model.agent.policy.inverse_temperature = 1e4;
  std::vector<double> logs(3);
  log_action_probabilities(model.structure, model.agent.policy, std::vector<double>{1.0, 0.0}, logs);
  EXPECT_NEAR(logs[1], 0.0, 1e-12);
  EXPECT_NEAR(logs[2], -1e4 * (2 * 1.3 * 1.3 - 2 * 0.3 * 0.3), 1e-6);
}

}  // namespace
}  // namespace interpole::inference
