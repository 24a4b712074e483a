#include "interpole/explain/audit/test_value.hpp"

#include "interpole/inference/node_beliefs.hpp"

namespace interpole::explain {
namespace {

void add(TestValue& sum, std::int64_t visits, const ActionBranches& branches) {
  if (visits == 0) return;
  const auto weight = static_cast<double>(visits);
  sum.visits += visits;
  sum.information += weight * branches.information;
  if (branches.information_world) {
    sum.information_world = sum.information_world.value_or(0.0) + weight * *branches.information_world;
  }
  sum.decides += branches.decides ? weight : 0.0;
}

void average(TestValue& value) {
  if (value.visits == 0) return;
  const auto visits = static_cast<double>(value.visits);
  value.information /= visits;
  if (value.information_world) *value.information_world /= visits;
  value.decides /= visits;
}

}  // namespace

std::vector<CohortTestValue> test_values(const HistoryTree& tree, const Model& model,
                                         const std::vector<int>& tests) {
  const inference::NodeBeliefs agent = inference::node_beliefs(tree, model.structure, model.agent.dynamics);
  inference::NodeBeliefs world;
  if (model.world) world = inference::node_beliefs(tree, model.structure, *model.world);
  int end = agent.impossible.value_or(tree.node_count());
  if (model.world) end = std::min(end, world.impossible.value_or(tree.node_count()));
  std::vector<CohortTestValue> values;
  for (const int test : tests) {
    CohortTestValue value;
    value.action = test;
    for (int node = 0; node < end; ++node) {
      const std::int64_t all = tree.decisions_at(node);
      if (all == 0) continue;
      std::optional<WorldView> view;
      if (model.world) view = WorldView{&*model.world, world.at(node)};
      const auto branches = action_branches(model.structure, model.agent, agent.at(node), test, view);
      const std::int64_t done = tree.counts_at(node)[test];
      add(value.done, done, branches);
      add(value.not_done, all - done, branches);
    }
    average(value.done);
    average(value.not_done);
    values.push_back(value);
  }
  return values;
}

}  // namespace interpole::explain
