#include "interpole/explain/checks/record_spread.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::explain {
namespace {

// Along the histories of a tree, for one action.
struct Sums {
  std::vector<double> residual;  // [node]: before the decisions taken there
  std::vector<double> variance;
};

// How many records ended with each action at each history: those that went on are in the children.
std::vector<double> ends_of(const HistoryTree& tree) {
  std::vector<double> ends(tree.action_counts.begin(), tree.action_counts.end());
  for (const HistoryTree::Group& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      ends[static_cast<std::size_t>(tree.parent[node]) * tree.action_count + group.action] -=
          static_cast<double>(tree.passes[node]);
    }
  }
  return ends;
}

std::vector<double> policies_of(const HistoryTree& tree, const Structure& structure,
                                const Parameters& agent) {
  const std::size_t A = structure.actions.size();
  const inference::NodeBeliefs beliefs = inference::node_beliefs(tree, structure, agent.dynamics);
  std::vector<double> kinds;
  const auto contexts = inference::node_contexts(tree, structure, agent.policy, beliefs, kinds);
  std::vector<double> policies(tree.parent.size() * A);
  for (int node = 0; node < tree.node_count(); ++node) {
    action_probabilities(structure, agent.policy, beliefs.at(node), contexts[node], {&policies[node * A], A});
  }
  return policies;
}

RecordSpread spread_of(const HistoryTree& tree, const std::vector<double>& policies,
                       const std::vector<double>& ends, int action) {
  const auto A = static_cast<std::size_t>(tree.action_count);
  const auto nodes = tree.parent.size();
  Sums sums{std::vector<double>(nodes, 0.0), std::vector<double>(nodes, 0.0)};
  const auto p_at = [&](std::size_t node) { return policies[node * A + action]; };
  for (const HistoryTree::Group& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      const auto parent = static_cast<std::size_t>(tree.parent[node]);
      const double p = p_at(parent);
      sums.residual[node] = sums.residual[parent] + (group.action == action ? 1.0 : 0.0) - p;
      sums.variance[node] = sums.variance[parent] + p * (1.0 - p);
    }
  }
  double squares = 0.0;
  double expected = 0.0;
  double error = 0.0;
  for (std::size_t node = 0; node < nodes; ++node) {
    for (std::size_t a = 0; a < A; ++a) {
      const double count = ends[node * A + a];
      if (count <= 0.0) continue;
      const double p = p_at(node);
      const double sum = sums.residual[node] + (static_cast<int>(a) == action ? 1.0 : 0.0) - p;
      const double variance = sums.variance[node] + p * (1.0 - p);
      squares += count * sum * sum;
      expected += count * variance;
      error += count * (sum * sum - variance) * (sum * sum - variance);
    }
  }
  RecordSpread spread;
  spread.action = action;
  if (expected > 0.0) spread.ratio = squares / expected;
  if (error > 0.0) spread.deviation = (squares - expected) / std::sqrt(error);
  return spread;
}

}  // namespace

RecordSpread record_spread(const HistoryTree& tree, const Structure& structure, const Parameters& agent) {
  const auto policies = policies_of(tree, structure, agent);
  const auto ends = ends_of(tree);
  RecordSpread most = spread_of(tree, policies, ends, 0);
  for (int a = 1; a < structure.action_count(); ++a) {
    const RecordSpread spread = spread_of(tree, policies, ends, a);
    if (spread.deviation > most.deviation) most = spread;
  }
  return most;
}

std::string sentence_of(const Structure& structure, const RecordSpread& spread) {
  return fmt::format(
      "records differ in how often \"{}\" is chosen more than one policy lets them ({:.2f} times the spread "
      "of "
      "chance): there may be several kinds of decision-makers, or something they see and the table does not",
      structure.actions[spread.action], spread.ratio);
}

}  // namespace interpole::explain
