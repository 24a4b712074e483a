// How well a whole measured outcome agrees with each state: the product of its factors' densities, of those
// that have a value.
#pragma once

#include <span>

#include "interpole/parameters.hpp"

namespace interpole::model {

// Π_f p_f(z_f | a, s') for every state, divided by the largest of them; returns the logarithm of that. −∞ and
// all 0 if no state allows the outcome.
double outcome_weights(const Structure& structure, const Dynamics& dynamics, int action,
                       std::span<const double> values, std::span<double> weights);

// What says nothing: each factor's parameters as they are expected, the same in every state. Terminal actions
// have none. Into all of Dynamics::observation.
void set_uninformative(const Structure& structure, std::vector<double>& observation);

// Throws an input error naming the entry unless each factor's parameters are possible; `prefix` ends where
// the name of an entry can follow.
void check_factor_parameters(const Structure& structure, Dynamics& dynamics, const std::string& prefix);

}  // namespace interpole::model
