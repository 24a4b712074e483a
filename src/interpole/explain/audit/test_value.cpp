#include "interpole/explain/audit/test_value.hpp"

#include <cmath>

#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/inference/decision_cells.hpp"
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
  if (branches.decides) *sum.decides += weight;
}

// How often each test was done, then how often anything else: which of these are withheld.
std::vector<char> withheld_tests(const HistoryTree& tree, int nodes, const std::vector<int>& tests,
                                 std::int64_t min_cell) {
  std::vector<std::int64_t> visits(tests.size() + 1, 0);
  for (int node = 0; node < nodes; ++node) {
    visits.back() += tree.decisions_at(node);
    for (std::size_t i = 0; i < tests.size(); ++i) visits[i] += tree.counts_at(node)[tests[i]];
  }
  for (std::size_t i = 0; i < tests.size(); ++i) visits.back() -= visits[i];
  return withheld(visits, min_cell);
}

void average(TestValue& value, std::int64_t min_cell) {
  if (value.visits == 0) return;
  const auto visits = static_cast<double>(value.visits);
  value.information /= visits;
  if (value.information_world) *value.information_world /= visits;
  const std::int64_t deciding = std::llround(*value.decides);
  *value.decides /= visits;
  if (is_small(deciding, min_cell) || is_small(value.visits - deciding, min_cell)) value.decides.reset();
}

}  // namespace

std::vector<CohortTestValue> test_values(const HistoryTree& tree, const Model& model,
                                         const std::vector<int>& tests, std::int64_t min_cell) {
  const inference::NodeBeliefs agent = inference::node_beliefs(tree, model.structure, model.agent.dynamics);
  inference::NodeBeliefs world;
  if (model.world) world = inference::node_beliefs(tree, model.structure, *model.world);
  int end = agent.impossible.value_or(tree.node_count());
  if (model.world) end = std::min(end, world.impossible.value_or(tree.node_count()));
  const std::vector<char> hidden = withheld_tests(tree, end, tests, min_cell);
  const auto contexts = inference::node_contexts(tree);
  std::vector<CohortTestValue> values;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const int test = tests[i];
    TestValue with, without;
    for (int node = 0; node < end; ++node) {
      const std::int64_t all = tree.decisions_at(node);
      if (all == 0) continue;
      std::optional<WorldView> view;
      if (model.world) view = WorldView{&*model.world, world.at(node)};
      const auto branches =
          action_branches(model.structure, model.agent, agent.at(node), test, view, contexts[node]);
      const std::int64_t done = tree.counts_at(node)[test];
      add(with, done, branches);
      add(without, all - done, branches);
    }
    average(with, min_cell);
    average(without, min_cell);
    CohortTestValue& value = values.emplace_back();
    value.action = test;
    if (hidden[i] == 0) value.done = with;
    if (hidden[i] == 0 && !is_small(without.visits, min_cell)) value.not_done = without;
  }
  return values;
}

}  // namespace interpole::explain
