#include "interpole/explain/audit/test_value.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/explain/record/measured_branches.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::explain {
namespace {

// What an action is worth at one belief after another, by the same two sets of dynamics.
class ValueOfAction {
 public:
  ValueOfAction(const Model& model, int action) : model_(model), action_(action) {
    if (!model.structure.measured()) return;
    const auto factors = model::yielded_factors(model.structure, action);
    agent_ = model::outcome_chances(model.structure, model.agent.dynamics, action, factors);
    if (model.world) world_ = model::outcome_chances(model.structure, *model.world, action, factors);
  }

  // `known`: the world's belief, if there is a world.
  ActionBranches at(std::span<const double> belief, std::span<const double> known,
                    const DecisionContext& now) const {
    const Structure& structure = model_.structure;
    std::optional<WorldView> view;
    if (model_.world) view = WorldView{&*model_.world, known};
    if (!structure.measured()) return action_branches(structure, model_.agent, belief, action_, view, now);
    ActionBranches branches =
        measured_branches(structure, model_.agent, belief, {action_, kMissing}, agent_, now);
    if (!view) return branches;
    std::vector<double> predicted(known.size());
    update_belief(structure, *model_.world, action_, kMissing, known, predicted);
    branches.information_world = expected_information(world_, predicted);
    return branches;
  }

 private:
  const Model& model_;
  int action_;
  model::OutcomeChances agent_, world_;
};

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

// Patients with at least one visit of some kind: each is counted at the first, which a tree of histories
// tells.
class PatientCounter {
 public:
  PatientCounter(const HistoryTree& tree, int nodes)
      : tree_(tree), nodes_(nodes), last_action_(static_cast<std::size_t>(tree.node_count()), -1) {
    for (const HistoryTree::Group& group : tree.groups) {
      std::fill(last_action_.begin() + group.begin, last_action_.begin() + group.end, group.action);
    }
  }

  // `is_of(node, action)`: whether doing so there is a visit of the kind.
  template <class IsOf>
  std::int64_t count(const IsOf& is_of) const {
    const int actions = tree_.action_count;
    std::vector<char> before(static_cast<std::size_t>(nodes_), 0);  // there was one on the way to the node
    std::int64_t patients = 0;
    for (int node = 0; node < nodes_; ++node) {
      const int parent = tree_.parent[node];
      if (parent >= 0) before[node] = before[parent] != 0 || is_of(parent, last_action_[node]) ? 1 : 0;
      if (before[node] != 0) continue;
      for (int a = 0; a < actions; ++a) {
        if (is_of(node, a)) patients += tree_.counts_at(node)[a];
      }
    }
    return patients;
  }

 private:
  const HistoryTree& tree_;
  int nodes_;
  std::vector<int> last_action_;  // [node]: what led there; −1: the root
};

// How often each test was done, then how often anything else: which of these are withheld.
std::vector<char> withheld_tests(const HistoryTree& tree, int nodes, const std::vector<int>& tests,
                                 std::int64_t min_cell) {
  std::vector<std::int64_t> visits(tests.size() + 1, 0);
  for (int node = 0; node < nodes; ++node) {
    visits.back() += tree.decisions_at(node);
    for (std::size_t i = 0; i < tests.size(); ++i) visits[i] += tree.counts_at(node)[tests[i]];
  }
  for (std::size_t i = 0; i < tests.size(); ++i) visits.back() -= visits[i];
  const PatientCounter patients(tree, nodes);
  std::vector<std::int64_t> people;
  people.reserve(tests.size() + 1);
  for (const int test : tests) people.push_back(patients.count([&](int, int a) { return a == test; }));
  people.push_back(
      patients.count([&](int, int a) { return std::find(tests.begin(), tests.end(), a) == tests.end(); }));
  return withheld(visits, people, min_cell);
}

// `deciding`, `others`: patients with visits at which the test decides, and at which it does not.
void average(TestValue& value, std::int64_t deciding, std::int64_t others, std::int64_t min_cell) {
  if (value.visits == 0) return;
  const auto visits = static_cast<double>(value.visits);
  value.information /= visits;
  if (value.information_world) *value.information_world /= visits;
  const std::int64_t deciding_visits = std::llround(*value.decides);
  *value.decides /= visits;
  for (const std::int64_t count : {deciding, others, deciding_visits, value.visits - deciding_visits}) {
    if (is_small(count, min_cell)) value.decides.reset();
  }
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
  std::vector<double> kinds;
  const auto contexts = inference::node_contexts(tree, model.structure, model.agent.policy, agent, kinds);
  const PatientCounter patients(tree, end);
  std::vector<char> decides(static_cast<std::size_t>(end), 0);
  std::vector<CohortTestValue> values;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const int test = tests[i];
    const ValueOfAction value_of(model, test);
    TestValue with, without;
    for (int node = 0; node < end; ++node) {
      const std::int64_t all = tree.decisions_at(node);
      if (all == 0) continue;
      const auto branches = value_of.at(
          agent.at(node), model.world ? world.at(node) : std::span<const double>(), contexts[node]);
      const std::int64_t done = tree.counts_at(node)[test];
      add(with, done, branches);
      add(without, all - done, branches);
      decides[node] = branches.decides ? 1 : 0;
    }
    const auto people = [&](bool done, bool deciding) {
      return patients.count(
          [&](int node, int a) { return (a == test) == done && (decides[node] != 0) == deciding; });
    };
    average(with, people(true, true), people(true, false), min_cell);
    average(without, people(false, true), people(false, false), min_cell);
    const std::int64_t not_tested = patients.count([&](int, int a) { return a != test; });
    CohortTestValue& value = values.emplace_back();
    value.action = test;
    if (hidden[i] == 0) value.done = with;
    if (hidden[i] == 0 && !is_small(without.visits, min_cell) && !is_small(not_tested, min_cell)) {
      value.not_done = without;
    }
  }
  return values;
}

}  // namespace interpole::explain
