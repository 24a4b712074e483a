#include "interpole/learn/fit/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/belief.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/learn/fit/labels.hpp"

namespace interpole::learn {
namespace {

constexpr double kSameLogPosterior = 0.01;
constexpr double kSameExplanation = 0.01;

// Beliefs and policies of one candidate at every node.
struct AtNodes {
  std::vector<double> beliefs;   // [node·S + s]
  std::vector<double> policies;  // [node·A + a]
  std::vector<double> world;     // beliefs by the world's dynamics; empty if there is one set
};

AtNodes explain(const HistoryTree& tree, const Structure& structure, const AgentWorld& agent_world) {
  const std::size_t A = structure.actions.size();
  const Parameters& parameters = agent_world.agent;
  AtNodes result{inference::node_beliefs(tree, structure, parameters.dynamics).beliefs, {}, {}};
  if (agent_world.world) result.world = inference::node_beliefs(tree, structure, *agent_world.world).beliefs;
  const std::size_t S = structure.states.size();
  const auto contexts = inference::node_contexts(tree);
  result.policies.resize(static_cast<std::size_t>(tree.node_count()) * A);
  for (int node = 0; node < tree.node_count(); ++node) {
    action_probabilities(structure, parameters.policy, {&result.beliefs[node * S], S}, contexts[node],
                         {&result.policies[node * A], A});
  }
  return result;
}

// Half the summed differences, averaged over decisions; column s of y is taken from order[s].
double average_difference(const HistoryTree& tree, const std::vector<double>& x, const std::vector<double>& y,
                          const std::vector<int>& order) {
  const std::size_t columns = order.size();
  double sum = 0.0;
  for (int node = 0; node < tree.node_count(); ++node) {
    const auto decisions = static_cast<double>(tree.decisions_at(node));
    if (decisions == 0.0) continue;
    double difference = 0.0;
    for (std::size_t k = 0; k < columns; ++k)
      difference += std::abs(x[node * columns + k] - y[node * columns + order[k]]);
    sum += 0.5 * decisions * difference;
  }
  return tree.decisions > 0 ? sum / static_cast<double>(tree.decisions) : 0.0;
}

// π does not depend on what states are called, beliefs do: the closest relabelling counts.
ExplanationDistance distance(const HistoryTree& tree, int actions, const AtNodes& x, const AtNodes& y,
                             const std::vector<std::vector<int>>& relabellings) {
  std::vector<int> same_actions(actions);
  std::iota(same_actions.begin(), same_actions.end(), 0);
  ExplanationDistance result{1.0, average_difference(tree, x.policies, y.policies, same_actions), 0.0};
  for (const auto& order : relabellings) {
    const double belief = average_difference(tree, x.beliefs, y.beliefs, order);
    if (belief > result.belief) continue;
    result.belief = belief;
    if (!x.world.empty()) result.world = average_difference(tree, x.world, y.world, order);
  }
  return result;
}

}  // namespace

std::vector<Mode> sort_into_modes(const HistoryTree& tree, const DecisionProblem& problem,
                                  const std::vector<Candidate>& candidates) {
  std::vector<int> by_value(candidates.size());
  std::iota(by_value.begin(), by_value.end(), 0);
  std::stable_sort(by_value.begin(), by_value.end(),
                   [&](int x, int y) { return candidates[x].log_posterior > candidates[y].log_posterior; });
  const auto relabellings = allowed_relabellings(problem);
  const int actions = problem.structure.action_count();
  std::vector<Mode> modes;
  std::vector<AtNodes> agent_worlds;  // of the first member of each mode
  for (const int i : by_value) {
    const AtNodes here = explain(tree, problem.structure, candidates[i].agent_world);
    bool known = false;
    for (std::size_t m = 0; m < modes.size() && !known; ++m) {
      if (modes[m].log_posterior - candidates[i].log_posterior > kSameLogPosterior) continue;
      const auto apart = distance(tree, actions, agent_worlds[m], here, relabellings);
      known = apart.belief <= kSameExplanation && apart.policy <= kSameExplanation &&
              apart.world <= kSameExplanation;
      if (known) modes[m].members.push_back(i);
    }
    if (known) continue;
    const auto from_best =
        modes.empty() ? ExplanationDistance{} : distance(tree, actions, agent_worlds[0], here, relabellings);
    modes.push_back({candidates[i].log_posterior, {i}, from_best});
    agent_worlds.push_back(here);
  }
  return modes;
}

}  // namespace interpole::learn
