#include "interpole/learners/simple/action_counts.hpp"

#include <numeric>

namespace interpole::learners {

std::vector<double> count_actions(const HistoryTree& tree) {
  std::vector<double> counts(tree.action_count, 0.0);
  for (std::size_t i = 0; i < tree.action_counts.size(); ++i) {
    counts[i % counts.size()] += static_cast<double>(tree.action_counts[i]);
  }
  return counts;
}

std::vector<double> smoothed(std::span<const double> counts, std::span<const double> prior, double weight) {
  const double total = std::accumulate(counts.begin(), counts.end(), weight);
  std::vector<double> result(counts.size());
  for (std::size_t a = 0; a < counts.size(); ++a) result[a] = (counts[a] + weight * prior[a]) / total;
  return result;
}

std::vector<double> smoothed(std::span<const double> counts, double weight) {
  return smoothed(counts, std::vector<double>(counts.size(), 1.0 / static_cast<double>(counts.size())),
                  weight);
}

}  // namespace interpole::learners
