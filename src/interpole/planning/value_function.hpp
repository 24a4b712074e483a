// The value of a belief, what to do there, and what every other action would be worth.
//
// `vectors` are the value with all stages to go, `next` with one less: q(b,a) is the gain of a plus the
// discounted value of what may follow, one step of look-ahead on `next`. It is finite for every action, also
// for those that are best nowhere and have no vector. With a horizon, max_a q(b,a) = value(b); without one
// (`next` = `vectors`) the two differ by no more than the last change of value iteration.
//
// Immutable: any number of threads may ask. Values count gains: of a problem with costs they are negated
// costs. Cost of a question: value O(n S), q O(S² + Z n S).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interpole/planning/alpha_vectors.hpp"
#include "interpole/planning/pomdp.hpp"

namespace interpole::planning {

class ValueFunction {
 public:
  ValueFunction(std::shared_ptr<const Pomdp> pomdp, AlphaVectors vectors, AlphaVectors next);

  double value(std::span<const double> belief) const { return value_at(vectors_, belief); }
  // The best action; kNoAction if no stage is left. Of equals, the one whose vector comes first.
  int action(std::span<const double> belief) const;
  // Zero if no stage is left.
  double q(std::span<const double> belief, int action) const;
  std::vector<double> q(std::span<const double> belief) const;  // of every action

  const Pomdp& pomdp() const { return *pomdp_; }
  const AlphaVectors& vectors() const { return vectors_; }
  const AlphaVectors& next() const { return next_; }

 private:
  std::shared_ptr<const Pomdp> pomdp_;
  AlphaVectors vectors_;
  AlphaVectors next_;
};

}  // namespace interpole::planning
