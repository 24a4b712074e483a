#include "interpole/learners/features/dealt_patients.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "interpole/base/random.hpp"

namespace interpole::learners {
namespace {

// For each cell that of the history before it with the same covariates, and the action that led from there.
struct CellTree {
  std::vector<int> parent;  // −1: first decisions
  std::vector<int> action;

  CellTree(const HistoryTree& tree, const inference::DecisionCells& cells)
      : parent(cells.node.size(), -1), action(cells.node.size(), -1) {
    std::vector<int> action_into(tree.parent.size(), -1);
    for (const HistoryTree::Group& group : tree.groups) {
      std::fill(action_into.begin() + group.begin, action_into.begin() + group.end, group.action);
    }
    std::map<std::pair<int, int>, int> at;
    for (int cell = 0; cell < cells.size(); ++cell) {
      const int node = cells.node[cell];
      at[{node, cells.record_class[cell]}] = cell;
      if (action_into[node] < 0) continue;
      parent[cell] = at.at({tree.parent[node], cells.record_class[cell]});
      action[cell] = action_into[node];
    }
  }
};

class Dealer {
 public:
  Dealer(int folds, std::uint64_t seed) : order_(folds), seed_(seed) {}
  int next() {
    const std::size_t place = dealt_ % order_.size();
    if (place == 0) {
      std::iota(order_.begin(), order_.end(), 0);
      base::RandomStream random(seed_, dealt_ / order_.size(), base::RandomPurpose::kDealtPatients);
      for (std::size_t i = order_.size() - 1; i > 0; --i) {
        std::swap(order_[i], order_[static_cast<std::size_t>(random.uniform() * static_cast<double>(i + 1))]);
      }
    }
    ++dealt_;
    return order_[place];
  }

 private:
  std::vector<int> order_;
  std::uint64_t seed_;
  std::uint64_t dealt_ = 0;
};

}  // namespace

DealtPatients deal_patients(const HistoryTree& tree, const inference::DecisionCells& cells, int folds,
                            std::uint64_t seed) {
  const auto A = static_cast<std::size_t>(tree.action_count);
  const CellTree above(tree, cells);
  std::vector<double> ends = cells.counts;
  for (std::size_t cell = 0; cell < cells.node.size(); ++cell) {
    if (above.parent[cell] < 0) continue;
    const auto decisions = std::accumulate(&cells.counts[cell * A], &cells.counts[cell * A] + A, 0.0);
    ends[above.parent[cell] * A + above.action[cell]] -= decisions;
  }
  DealtPatients result;
  result.counts.assign(folds, std::vector<double>(ends.size(), 0.0));
  Dealer dealer(folds, seed);
  for (std::size_t at = 0; at < ends.size(); ++at) {
    for (double record = 0.0; record < ends[at]; ++record, ++result.patients) {
      ++result.counts[dealer.next()][at];
    }
  }
  // Who decided here decided before: children come after their parents.
  for (std::vector<double>& counts : result.counts) {
    for (std::size_t cell = cells.node.size(); cell-- > 0;) {
      if (above.parent[cell] < 0) continue;
      counts[above.parent[cell] * A + above.action[cell]] +=
          std::accumulate(&counts[cell * A], &counts[cell * A] + A, 0.0);
    }
  }
  return result;
}

}  // namespace interpole::learners
