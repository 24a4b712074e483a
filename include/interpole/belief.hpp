// The two equations of the model, for one belief at a time: the belief update and the policy. This is the
// plain, readable form; inference/likelihood runs the same equations over whole data sets.
#pragma once

#include <span>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole {

// b'(s') = O(z|a,s') Σ_s b(s) T(s'|s,a) / c. Writes b' into `next` and returns c, the probability of the
// outcome. kMissing: the update by T alone (c = 1 up to rounding). If c = 0 the outcome is impossible and
// `next` is all zero.
double update_belief(const Structure& structure, const Dynamics& dynamics, int action, int observation,
                     std::span<const double> belief, std::span<double> next);

// log π(a|b) for every action. Finite even where π(a|b) is too small for a double.
void log_action_probabilities(const Structure& structure, const Policy& policy,
                              std::span<const double> belief, std::span<double> logs);

// π(a|b) ∝ exp(−η ‖b − μ_a‖²), for every action.
void action_probabilities(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          std::span<double> probabilities);
std::vector<double> action_probabilities(const Structure& structure, const Policy& policy,
                                         std::span<const double> belief);

}  // namespace interpole
