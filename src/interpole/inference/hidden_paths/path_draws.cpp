#include "interpole/inference/hidden_paths/path_draws.hpp"

#include <algorithm>
#include <numeric>

#include "interpole/inference/kernels.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::inference {
namespace {

// Draws where the records in a child's states came from; counts the moves and outcomes.
class BackwardDraw {
 public:
  BackwardDraw(const Structure& structure, base::RandomStream& random)
      : structure_(structure), random_(random), weights_(structure.states.size()), from_(weights_.size()) {}

  void pass_back(const HistoryTree::Group& group, const double* M, const double* belief,
                 const std::int64_t* child, std::int64_t* parent, Dynamics& counts) {
    const std::size_t S = weights_.size();
    const std::size_t Z = structure_.observations.size();
    for (std::size_t to = 0; to < S; ++to) {
      if (child[to] == 0) continue;
      for (std::size_t s = 0; s < S; ++s) weights_[s] = M[to * S + s] * belief[s];
      std::fill(from_.begin(), from_.end(), 0);
      draw_multinomial(child[to], weights_, random_, from_);
      const std::size_t row = static_cast<std::size_t>(group.action) * S;
      for (std::size_t s = 0; s < S; ++s) {
        parent[s] += from_[s];
        counts.transition[(row + s) * S + to] += static_cast<double>(from_[s]);
      }
      if (group.observation != kMissing) {
        counts.observation[(row + to) * Z + group.observation] += static_cast<double>(child[to]);
      }
    }
  }

 private:
  const Structure& structure_;
  base::RandomStream& random_;
  std::vector<double> weights_;
  std::vector<std::int64_t> from_;
};

}  // namespace

void draw_multinomial(std::int64_t total, std::span<const double> weights, base::RandomStream& random,
                      std::span<std::int64_t> shares) {
  double left = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size() && total > 0; ++i) {
    if (!(weights[i] > 0.0)) continue;
    const std::int64_t share = random.binomial(total, std::min(1.0, weights[i] / left));
    shares[i] += share;
    total -= share;
    left -= weights[i];
    last = i;
  }
  shares[last] += total;  // rounding of `left` may leave some
}

PathCounts draw_paths(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics,
                      base::RandomStream& random) {
  require_no_times(structure, "draws of paths");
  const std::size_t S = structure.states.size();
  const auto nodes = static_cast<std::size_t>(tree.node_count());
  PathCounts drawn{Dynamics::filled(structure, 0.0), std::vector<std::int64_t>(nodes * S, 0), {}};
  const NodeBeliefs filtered = node_beliefs(tree, structure, dynamics);
  if (filtered.impossible) {
    drawn.impossible_node = filtered.impossible;
    return drawn;
  }
  std::vector<double> matrices;
  update_matrices(structure, dynamics, matrices);

  std::vector<std::int64_t> ending(tree.passes);
  for (std::size_t node = tree.root_count; node < nodes; ++node)
    ending[tree.parent[node]] -= tree.passes[node];
  BackwardDraw backward(structure, random);
  for (auto group = tree.groups.rbegin(); group != tree.groups.rend(); ++group) {
    const double* M = &matrices[matrix_index(structure, group->action, group->observation)];
    for (auto node = static_cast<std::size_t>(group->begin); node < static_cast<std::size_t>(group->end);
         ++node) {
      const std::span<std::int64_t> here(&drawn.states[node * S], S);
      draw_multinomial(ending[node], filtered.at(static_cast<int>(node)), random, here);
      const std::size_t parent = tree.parent[node];
      backward.pass_back(*group, M, &filtered.beliefs[parent * S], here.data(), &drawn.states[parent * S],
                         drawn.counts);
    }
  }
  for (int node = 0; nodes > 0 && node < tree.root_count; ++node) {
    const std::span<std::int64_t> root(&drawn.states[node * S], S);
    draw_multinomial(ending[node], filtered.at(node), random, root);
    for (std::size_t s = 0; s < S; ++s) drawn.counts.initial[s] += static_cast<double>(root[s]);
  }
  return drawn;
}

}  // namespace interpole::inference
