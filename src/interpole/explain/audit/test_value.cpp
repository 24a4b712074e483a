#include "interpole/explain/audit/test_value.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

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
  // `gap`: until the outcome is seen.
  ActionBranches at(std::span<const double> belief, std::span<const double> known, const DecisionContext& now,
                    int gap) const {
    const Structure& structure = model_.structure;
    std::optional<WorldView> view;
    if (model_.world) view = WorldView{&*model_.world, known};
    if (!structure.measured())
      return action_branches(structure, model_.agent, belief, action_, view, now, gap);
    ActionBranches branches =
        measured_branches(structure, model_.agent, belief, {action_, kMissing, gap}, agent_, now);
    if (!view) return branches;
    std::vector<double> predicted(known.size());
    update_belief(structure, *model_.world, {action_, kMissing, gap}, known, predicted);
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

// Visits of one history at which the same was done and that went on after the same gap.
struct AlikeVisits {
  int node = 0;
  int gap = kNoGap;  // also where no visit followed
  int action = 0;
  std::int64_t visits = 0;
};

// All visits of the first nodes of a tree, in the order of their histories, then of their gaps.
class VisitsByGap {
 public:
  VisitsByGap(const HistoryTree& tree, const Structure& structure, int nodes) : tree_(tree), nodes_(nodes) {
    std::vector<std::int64_t> without = tree.action_counts;
    if (structure.timed()) add_followed(without);
    for (int node = 0; node < nodes; ++node) {
      for (int a = 0; a < tree.action_count; ++a) {
        const std::int64_t visits = without[static_cast<std::size_t>(node) * tree.action_count + a];
        if (visits > 0) all_.push_back({node, kNoGap, a, visits});
      }
    }
    put_together();
    find_what_led();
  }

  const std::vector<AlikeVisits>& all() const { return all_; }

  // Patients with at least one visit of a kind, `is_of(place in all())`: each is counted at the first, which
  // a tree of histories tells.
  template <class IsOf>
  std::int64_t patients(const IsOf& is_of) const {
    std::vector<char> before(static_cast<std::size_t>(nodes_), 0);  // there was one on the way to the node
    for (int node = tree_.root_count; node < nodes_; ++node) {
      before[node] = before[tree_.parent[node]] != 0 || is_of(led_[node]) ? 1 : 0;
    }
    std::int64_t patients = 0;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (before[all_[i].node] == 0 && is_of(i)) patients += all_[i].visits;
    }
    return patients;
  }

 private:
  static auto key(const AlikeVisits& visits) { return std::tuple(visits.node, visits.gap, visits.action); }

  void add_followed(std::vector<std::int64_t>& without) {
    for (const HistoryTree::Group& group : tree_.groups) {
      for (int node = group.begin; node < group.end; ++node) {
        const int parent = tree_.parent[node];
        if (parent >= nodes_) continue;
        all_.push_back({parent, group.gap, group.action, tree_.passes[node]});
        without[static_cast<std::size_t>(parent) * tree_.action_count + group.action] -= tree_.passes[node];
      }
    }
  }

  void put_together() {
    std::ranges::sort(all_, {}, key);
    std::size_t kept = 0;
    for (const AlikeVisits& visits : all_) {
      if (kept > 0 && key(all_[kept - 1]) == key(visits)) {
        all_[kept - 1].visits += visits.visits;
      } else {
        all_[kept++] = visits;
      }
    }
    all_.resize(kept);
  }

  void find_what_led() {
    led_.resize(static_cast<std::size_t>(nodes_));
    for (const HistoryTree::Group& group : tree_.groups) {
      for (int node = group.begin; node < std::min(group.end, nodes_); ++node) {
        const AlikeVisits visit{tree_.parent[node], group.gap, group.action, 0};
        led_[node] = std::ranges::lower_bound(all_, key(visit), {}, key) - all_.begin();
      }
    }
  }

  const HistoryTree& tree_;
  int nodes_;
  std::vector<AlikeVisits> all_;
  std::vector<std::size_t> led_;  // [node]: the visits that led there
};

// How often each test was done, then how often anything else: which of these are withheld.
std::vector<char> withheld_tests(const HistoryTree& tree, const VisitsByGap& decided, int nodes,
                                 const std::vector<int>& tests, std::int64_t min_cell) {
  std::vector<std::int64_t> visits(tests.size() + 1, 0);
  for (int node = 0; node < nodes; ++node) {
    visits.back() += tree.decisions_at(node);
    for (std::size_t i = 0; i < tests.size(); ++i) visits[i] += tree.counts_at(node)[tests[i]];
  }
  for (std::size_t i = 0; i < tests.size(); ++i) visits.back() -= visits[i];
  const auto action = [&](std::size_t place) { return decided.all()[place].action; };
  std::vector<std::int64_t> people;
  people.reserve(tests.size() + 1);
  for (const int test : tests)
    people.push_back(decided.patients([&](std::size_t i) { return action(i) == test; }));
  people.push_back(decided.patients(
      [&](std::size_t i) { return std::find(tests.begin(), tests.end(), action(i)) == tests.end(); }));
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
  const VisitsByGap decided(tree, model.structure, end);
  const std::vector<AlikeVisits>& all = decided.all();
  const std::vector<char> hidden = withheld_tests(tree, decided, end, tests, min_cell);
  std::vector<double> kinds;
  const auto contexts = inference::node_contexts(tree, model.structure, model.agent.policy, agent, kinds);
  std::vector<char> decides(all.size(), 0);
  std::vector<CohortTestValue> values;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const int test = tests[i];
    const ValueOfAction value_of(model, test);
    TestValue with, without;
    for (std::size_t begin = 0, past = 0; begin < all.size(); begin = past) {
      const auto [node, gap, action, visits] = all[begin];
      std::int64_t done = 0;
      std::int64_t not_done = 0;
      for (; past < all.size() && all[past].node == node && all[past].gap == gap; ++past) {
        (all[past].action == test ? done : not_done) += all[past].visits;
      }
      const auto branches = value_of.at(
          agent.at(node), model.world ? world.at(node) : std::span<const double>(), contexts[node], gap);
      add(with, done, branches);
      add(without, not_done, branches);
      std::fill(decides.begin() + static_cast<std::ptrdiff_t>(begin),
                decides.begin() + static_cast<std::ptrdiff_t>(past), branches.decides ? 1 : 0);
    }
    const auto people = [&](bool done, bool deciding) {
      return decided.patients([&](std::size_t place) {
        return (all[place].action == test) == done && (decides[place] != 0) == deciding;
      });
    };
    average(with, people(true, true), people(true, false), min_cell);
    average(without, people(false, true), people(false, false), min_cell);
    const std::int64_t not_tested =
        decided.patients([&](std::size_t place) { return all[place].action != test; });
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
