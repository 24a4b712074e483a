// How far a fitted mind is from the true one (paper, Tables 3 and 4): the mean over decisions of KL(b_true ‖
// b_fit) and of KL(π_true ‖ π_fit), both evaluated at the histories of a data set. Natural logarithms; per
// decision.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpole/inference/node_beliefs.hpp"

namespace interpole::evaluate {

// Σ p log(p/q) with 0 log 0 = 0. nullopt: infinite, because q = 0 where p > 0.
std::optional<double> kl_divergence(std::span<const double> p, std::span<const double> q);

struct Mismatch {
  // nullopt: infinite, no decisions, or (belief) no beliefs.
  std::optional<double> belief;
  std::optional<double> policy;
  // Decisions at which the fit rules out a state that the truth does not; if any, `belief` is infinite.
  std::int64_t infinite_beliefs = 0;
};

// KL divergences at every node of a tree, from which the mismatch follows for any counts on its histories.
struct NodeDivergences {
  std::vector<double> belief;  // [node]; empty: the learner has no beliefs. Infinite where q = 0 < p
  std::vector<double> policy;  // [node]; infinite likewise
};

// Means over decisions, first ones included.
Mismatch mismatch(const HistoryTree& counts, const NodeDivergences& divergences);

// Of a model. `truth_beliefs` and `fit_beliefs` are the agents' (node_beliefs of truth.agent and fit.agent),
// without impossible outcomes. The models share one structure (see aligned_to).
NodeDivergences node_divergences(const HistoryTree& tree, const Model& truth,
                                 const inference::NodeBeliefs& truth_beliefs, const Model& fit,
                                 const inference::NodeBeliefs& fit_beliefs);

// Of any learner: its policies [node·A + a], and its beliefs [node·S + s] if it has any.
NodeDivergences node_divergences(const HistoryTree& tree, const Model& truth,
                                 const inference::NodeBeliefs& truth_beliefs,
                                 const std::vector<double>& policies,
                                 const std::optional<std::vector<double>>& beliefs);

// The model with its states in the other structure's order. Throws an input error naming the difference
// unless both name the same states, and the same actions and observations in the same order.
Model aligned_to(const Structure& structure, const Model& model);

}  // namespace interpole::evaluate
