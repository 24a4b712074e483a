#include "interpole/report/figures/typical_belief.hpp"

#include <algorithm>

namespace interpole::report {
namespace {

template <class Visit>
void for_each_decision_node(const HistoryTree& tree, const inference::NodeBeliefs& beliefs,
                            const Visit& visit) {
  const int known = beliefs.impossible.value_or(tree.node_count());
  for (int node = 0; node < known; ++node) {
    const auto weight = static_cast<double>(tree.decisions_at(node));
    if (weight > 0.0) visit(beliefs.at(node), weight);
  }
}

}  // namespace

std::vector<double> typical_belief(const HistoryTree& tree, const inference::NodeBeliefs& beliefs) {
  std::vector<double> mean(beliefs.states, 0.0);
  double total = 0.0;
  for_each_decision_node(tree, beliefs, [&](std::span<const double> belief, double weight) {
    for (std::size_t s = 0; s < mean.size(); ++s) mean[s] += weight * belief[s];
    total += weight;
  });
  for (double& share : mean) share = total > 0.0 ? share / total : 1.0 / static_cast<double>(mean.size());
  return mean;
}

std::vector<std::pair<int, int>> telling_pairs(const HistoryTree& tree, const inference::NodeBeliefs& beliefs,
                                               std::size_t most) {
  const std::size_t states = beliefs.states;
  std::vector<double> product(states * states, 0.0);
  for_each_decision_node(tree, beliefs, [&](std::span<const double> belief, double weight) {
    for (std::size_t s = 0; s < states; ++s) {
      for (std::size_t r = s + 1; r < states; ++r) product[s * states + r] += weight * belief[s] * belief[r];
    }
  });
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t r = s + 1; r < states; ++r) pairs.emplace_back(s, r);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& x, const auto& y) {
    return product[x.first * states + x.second] > product[y.first * states + y.second];
  });
  pairs.resize(std::min(pairs.size(), most));
  return pairs;
}

}  // namespace interpole::report
