// Prior densities, evaluated in unconstrained coordinates but as densities of the natural parameters (no
// Jacobian): the mode of the posterior is then that of the natural parameters, as in the paper.
//
//   simplex blocks  Dirichlet(α) on θ/mass
//   means           Normal(centre of the simplex, sd²) on every entry, given their sum
//   η               Gamma(shape, rate)
//   factors         Normal(0, sd²) on the coordinate of a measured factor's parameter, whatever the measure
//   start           Normal(0, τ²) on the coordinates of weights by which starting beliefs differ
//   kinds           means Normal(their average, spread²), the average and each η as above, shares Dirichlet
#pragma once

#include <span>

#include "interpole/model/parameter_space.hpp"
#include "interpole/priors.hpp"

namespace interpole::learn {

// log p(dynamics); adds its gradient to d_y.
double log_prior(const model::DynamicsSpace& space, const Priors& priors, const Dynamics& at,
                 std::span<double> d_y);

// Of the coordinate of a parameter of a measured factor.
struct NormalPrior {
  double mean = 0.0;
  double sd = 1.0;
};
NormalPrior prior_of_single(const model::ParameterBlock& block, const Priors& priors);

// The same for one row of the dynamics alone: its log-density, and `weight` times its gradient.
double log_prior_of_row(const model::ParameterBlock& block, const Priors& priors, const Dynamics& at);
void add_prior_gradient_of_row(const model::ParameterBlock& block, const Priors& priors, const Dynamics& at,
                               double weight, std::span<double> d_y);

// log p(policy); adds its gradient to d_y. `y` are the coordinates of `at`.
double log_prior(const model::PolicySpace& space, const Priors& priors, std::span<const double> y,
                 std::span<double> d_y);

}  // namespace interpole::learn
