// How far a fitted mind is from the true one (paper, Tables 3 and 4): the mean over decisions of KL(b_true ‖
// b_fit) and of KL(π_true ‖ π_fit), both evaluated at the histories of a data set. Natural logarithms; per
// decision.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "interpole/inference/node_beliefs.hpp"

namespace interpole {

// Σ p log(p/q) with 0 log 0 = 0. nullopt: infinite, because q = 0 where p > 0.
std::optional<double> kl_divergence(std::span<const double> p, std::span<const double> q);

struct Mismatch {
  // nullopt: infinite, or no decisions.
  std::optional<double> belief;
  std::optional<double> policy;
  // Decisions at which the fit rules out a state that the truth does not; if any, `belief` is infinite.
  std::int64_t infinite_beliefs = 0;
};

// `truth_beliefs` and `fit_beliefs` are the agents' (node_beliefs of truth.agent and fit.agent), without
// impossible outcomes. The models share one structure (see aligned_to).
Mismatch mismatch(const HistoryTree& tree, const Model& truth, const NodeBeliefs& truth_beliefs,
                  const Model& fit, const NodeBeliefs& fit_beliefs);

// The model with its states in the other structure's order. Throws an input error naming the difference
// unless both name the same states, and the same actions and observations in the same order.
Model aligned_to(const Structure& structure, const Model& model);

}  // namespace interpole
