// Prior beliefs about the parameters, and how latent states get their names. Both are stated in a study.
#pragma once

#include <vector>

#include "interpole/model/parameters.hpp"

namespace interpole {

struct Priors {
  Dynamics concentration;     // Dirichlet concentration of every probability; 1 everywhere is uniform
  double means_center = 0.0;  // normal prior of every μ_a(s)
  double means_sd = 10.0;
  double temperature_shape = 2.0;  // gamma prior of η
  double temperature_rate = 0.2;

  static Priors defaults(const Structure& structure) {
    return {Dynamics::filled(structure, 1.0), 1.0 / structure.state_count()};
  }
  bool operator==(const Priors&) const = default;
};

// Latent states can be swapped without changing the likelihood. A hint says which is which: along `order`
// (state indices) the outcome becomes likelier after the action.
struct LabelHint {
  int action = 0;
  int observation = 0;
  std::vector<int> order;
  bool operator==(const LabelHint&) const = default;
};

}  // namespace interpole
