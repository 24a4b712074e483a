#include "interpole/evaluate/resampling.hpp"

#include <algorithm>
#include <numeric>

namespace interpole::evaluate {

PatientResampler::PatientResampler(const HistoryTree& tree) : action_into_(tree.parent.size(), -1) {
  const auto A = static_cast<std::size_t>(tree.action_count);
  std::vector<std::int64_t> ended_by(tree.action_counts);  // [node·A + a]
  for (const HistoryTree::Group& group : tree.groups) {
    for (std::int32_t node = group.begin; node < group.end; ++node) {
      action_into_[node] = group.action;
      ended_by[tree.parent[node] * A + group.action] -= tree.passes[node];
    }
  }
  for (std::int32_t node = 0; node < tree.node_count(); ++node) {
    const std::int64_t undecided = tree.passes[node] - tree.decisions_at(node);
    if (undecided > 0) endings_.push_back({node, -1, undecided});
    for (std::size_t a = 0; a < A; ++a) {
      const std::int64_t patients = ended_by[node * A + a];
      if (patients > 0) endings_.push_back({node, static_cast<std::int32_t>(a), patients});
    }
  }
}

void PatientResampler::reweight(const std::function<std::int64_t(std::int64_t)>& weight,
                                HistoryTree& replicate) const {
  const auto A = static_cast<std::size_t>(replicate.action_count);
  std::fill(replicate.passes.begin(), replicate.passes.end(), 0);
  std::fill(replicate.action_counts.begin(), replicate.action_counts.end(), 0);
  for (const Ending& ending : endings_) {
    const std::int64_t patients = weight(ending.patients);
    replicate.passes[ending.node] += patients;
    if (ending.action >= 0) replicate.action_counts[ending.node * A + ending.action] += patients;
  }
  // Children come after their parents.
  const std::size_t roots = std::min<std::size_t>(replicate.root_count, replicate.parent.size());
  for (std::size_t node = replicate.parent.size(); node-- > roots;) {
    const std::size_t parent = replicate.parent[node];
    replicate.passes[parent] += replicate.passes[node];
    replicate.action_counts[parent * A + action_into_[node]] += replicate.passes[node];
  }
  replicate.records =
      std::accumulate(replicate.passes.begin(), replicate.passes.begin() + static_cast<std::ptrdiff_t>(roots),
                      std::int64_t{0});
  replicate.decisions =
      std::accumulate(replicate.action_counts.begin(), replicate.action_counts.end(), std::int64_t{0});
}

void PatientResampler::draw(base::RandomStream& random, HistoryTree& replicate) const {
  reweight([&](std::int64_t patients) { return random.poisson(static_cast<double>(patients)); }, replicate);
}

}  // namespace interpole::evaluate
