#include "interpole/inference/node_beliefs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/belief.hpp"
#include "interpole/error.hpp"

namespace interpole::inference {

NodeBeliefs node_beliefs(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics) {
  if (tree.action_count != structure.action_count()) {
    throw input_error(
        fmt::format("the data were read with {} actions, the model has {}; read them with the model's",
                    tree.action_count, structure.action_count()));
  }
  NodeBeliefs result;
  result.states = structure.states.size();
  result.beliefs.assign(tree.parent.size() * result.states, 0.0);
  result.outcome_probability.assign(tree.parent.size(), 0.0);
  if (tree.parent.empty()) return result;
  for (int root = 0; root < tree.root_count; ++root) {
    start_belief(dynamics, tree.covariates_of_root(root),
                 {&result.beliefs[root * result.states], result.states});
    result.outcome_probability[root] = 1.0;
  }
  const std::size_t size = result.states * result.states;
  std::vector<double> over_gap;
  for (const HistoryTree::Group& group : tree.groups) {
    std::span<const double> transition = std::span(dynamics.transition).subspan(group.action * size, size);
    if (structure.timed()) {
      const double gap = group.gap == kNoGap ? 0.0 : structure.gaps.table->at(group.gap);
      over_gap = transition_over(structure, dynamics, group.action, gap);
      transition = over_gap;
    }
    for (int node = group.begin; node < group.end; ++node) {
      const std::span<double> next(&result.beliefs[node * result.states], result.states);
      const double chance =
          update_belief(structure, dynamics, group.step(), transition, result.at(tree.parent[node]), next);
      if (!(chance > 0.0)) {
        result.impossible = node;
        return result;
      }
      result.outcome_probability[node] = group.observation == kMissing ? 1.0 : chance;
    }
  }
  return result;
}

}  // namespace interpole::inference
