// A network on a history tree as its training sees it: losses and gradient at given weights.
#pragma once

#include <span>
#include <vector>

#include "interpole/history_tree.hpp"

namespace interpole::learners {

// How often each action was taken, [node·A + a] of the tree, and how often any was.
struct DecisionCounts {
  std::vector<double> counts;
  double total = 0.0;

  static DecisionCounts all_of(const HistoryTree& tree);
};

// Mean cross-entropy per decision; zero where there are none.
struct NetworkLoss {
  double training = 0.0;
  double validation = 0.0;
};

class TrainableNetwork {
 public:
  virtual ~TrainableNetwork() = default;
  // Both losses at these weights, and the gradient of the training loss. Bits do not depend on the threads.
  virtual NetworkLoss evaluate(std::span<const double> parameters, const DecisionCounts& training,
                               const DecisionCounts& validation, std::span<double> gradient) = 0;
};

}  // namespace interpole::learners
