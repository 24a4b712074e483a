// Prior beliefs about the parameters, and how latent states get their names. Both are stated in a study.
#pragma once

#include <string>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole {

struct Priors {
  Dynamics concentration;          // Dirichlet concentration of every probability; 1 everywhere is uniform
  double means_sd = 10.0;          // normal prior of every μ_a(s) around the centre of the simplex
  double temperature_shape = 2.0;  // gamma prior of η
  double temperature_rate = 0.2;

  static Priors defaults(const Structure& structure) { return {Dynamics::filled(structure, 1.0)}; }
  bool operator==(const Priors&) const = default;
};

// What an action can yield.
struct Outcome {
  int action = 0;
  int observation = 0;
  bool operator==(const Outcome&) const = default;
};

// Latent states can be swapped without changing the likelihood. A hint says which is which: along `order`
// (state indices) these outcomes become likelier (their chances added up).
struct LabelHint {
  std::vector<Outcome> outcomes;
  std::string description;  // of the outcomes, for people: "positive" after "monitor"
  std::vector<int> order;
  bool operator==(const LabelHint&) const = default;
};

}  // namespace interpole
