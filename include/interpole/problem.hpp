// A decision problem: what is to be learned, apart from any table it is learned from.
#pragma once

#include <optional>

#include "interpole/parameters.hpp"
#include "interpole/priors.hpp"
#include "interpole/structure.hpp"

namespace interpole {

struct DecisionProblem {
  Structure structure;
  Parameters known;  // NaN: to be learned. Any number: held at that value, whole or element by element
  std::optional<Dynamics> world;  // what is known of the world, where it differs from what is known of both
  Parameters start;               // NaN: drawn from the prior at each restart. Any number: start there
  double start_noise = 0.001;     // standard deviation of the normal noise added to starting means
  Priors priors;
  Ties ties;  // of the agent's dynamics and of the world's
  std::optional<LabelHint> labels;
  PolicyRequest policy{};  // what decisions may follow beside beliefs
  StartRequest starts{};   // by what starting beliefs may differ

  const Dynamics& known_world() const { return world ? *world : known.dynamics; }

  // Everything is to be learned, from default priors.
  static DecisionProblem open(const Structure& structure);
};

}  // namespace interpole
