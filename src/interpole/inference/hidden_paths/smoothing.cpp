#include "interpole/inference/hidden_paths/smoothing.hpp"

#include <cmath>

#include "interpole/inference/kernels.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::inference {
namespace {

// Passes a child's smoothed counts to its parent through ξ; adds ξ to the expected transitions and outcomes.
void pass_back(const Structure& structure, const HistoryTree::Group& group, const double* M,
               const double* parent, const double* child_gamma, double* parent_gamma, Dynamics& expected) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  for (std::size_t to = 0; to < S; ++to) {
    double arrived = 0.0;
    for (std::size_t from = 0; from < S; ++from) arrived += M[to * S + from] * parent[from];
    if (arrived <= 0.0) continue;
    const double weight = child_gamma[to] / arrived;
    for (std::size_t from = 0; from < S; ++from) {
      const double xi = weight * M[to * S + from] * parent[from];
      parent_gamma[from] += xi;
      expected.transition[(static_cast<std::size_t>(group.action) * S + from) * S + to] += xi;
    }
    if (group.observation != kMissing) {
      expected.observation[(static_cast<std::size_t>(group.action) * S + to) * Z + group.observation] +=
          child_gamma[to];
    }
  }
}

double weighted_log(const std::vector<double>& counts, const std::vector<double>& theta) {
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0.0) sum += counts[i] * std::log(theta[i]);
  }
  return sum;
}

}  // namespace

SmoothedCounts smooth(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics) {
  require_no_times(structure, "smoothing");
  const std::size_t S = structure.states.size();
  const auto nodes = static_cast<std::size_t>(tree.node_count());
  SmoothedCounts counts{Dynamics::filled(structure, 0.0), {}, {}, 0.0};
  const NodeBeliefs filtered = node_beliefs(tree, structure, dynamics);
  if (filtered.impossible) {
    counts.impossible_node = filtered.impossible;
    return counts;
  }
  for (std::size_t node = tree.root_count; node < nodes; ++node) {
    counts.log_likelihood +=
        static_cast<double>(tree.passes[node]) * std::log(filtered.outcome_probability[node]);
  }
  std::vector<double> matrices;
  update_matrices(structure, dynamics, matrices);

  // Records that end at a node are described by the filtered belief there.
  std::vector<std::int64_t> ending(tree.passes);
  for (std::size_t node = tree.root_count; node < nodes; ++node)
    ending[tree.parent[node]] -= tree.passes[node];
  counts.gamma.resize(nodes * S);
  for (std::size_t node = 0; node < nodes; ++node) {
    for (std::size_t s = 0; s < S; ++s) {
      counts.gamma[node * S + s] = static_cast<double>(ending[node]) * filtered.beliefs[node * S + s];
    }
  }
  for (auto group = tree.groups.rbegin(); group != tree.groups.rend(); ++group) {
    const double* M = &matrices[matrix_index(structure, group->action, group->observation)];
    for (std::int32_t node = group->begin; node < group->end; ++node) {
      const std::size_t parent = tree.parent[node];
      pass_back(structure, *group, M, &filtered.beliefs[parent * S],
                &counts.gamma[static_cast<std::size_t>(node) * S], &counts.gamma[parent * S],
                counts.expected);
    }
  }
  for (std::size_t i = 0; i < tree.root_count * S; ++i) counts.expected.initial[i % S] += counts.gamma[i];
  return counts;
}

double expected_log_dynamics(const SmoothedCounts& counts, const Dynamics& dynamics) {
  return weighted_log(counts.expected.initial, dynamics.initial) +
         weighted_log(counts.expected.transition, dynamics.transition) +
         weighted_log(counts.expected.observation, dynamics.observation);
}

}  // namespace interpole::inference
