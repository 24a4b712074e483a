// The way back through the belief update: what a function of the beliefs at all histories, and of how likely
// their outcomes were, owes to the dynamics. The reverse of node_beliefs(), in O(nodes·S²).
#pragma once

#include <span>

#include "interpole/inference/node_beliefs.hpp"

namespace interpole::inference {

// Adds to `gradient`, entry by entry as if rows need not sum to one. `by_belief` [node·S + s]: the function's
// derivatives by each belief alone; afterwards those by way of all later beliefs too. `by_log_outcome`
// [node]: its derivatives by log outcome_probability; the root's and those of missing outcomes are ignored.
// No belief may be impossible.
void pull_back_beliefs(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics,
                       const NodeBeliefs& beliefs, std::span<double> by_belief,
                       std::span<const double> by_log_outcome, Dynamics& gradient);

}  // namespace interpole::inference
