// A lower and an upper bound on the same value, and how looking one step ahead tightens both at a belief.
#pragma once

#include <span>
#include <vector>

#include "interpole/planning/alpha_vectors.hpp"
#include "interpole/planning/bounds/upper_bound.hpp"
#include "interpole/planning/pomdp.hpp"

namespace interpole::planning {

class BoundPair {
 public:
  BoundPair(AlphaVectors lower, AlphaVectors informed);

  double gap(std::span<const double> belief) const { return upper_.value(belief) - value_at(lower_, belief); }
  // The largest over the beliefs that hold up the upper bound.
  double largest_gap() const;

  // Moves `belief` to where most doubt is left after the most promising action: the outcome with the largest
  // gap beyond `allowed`, weighted by its probability. False if no outcome has one.
  bool descend(const Pomdp& pomdp, const BoundPair& next, double allowed, std::vector<double>& belief) const;

  // Backs up both bounds at a belief. `next` may be this pair.
  void improve(const Pomdp& pomdp, const BoundPair& next, std::span<const double> belief);

  const AlphaVectors& lower() const { return lower_; }
  const UpperBound& upper() const { return upper_; }

 private:
  void add_lower(int action, std::span<const double> vector);

  AlphaVectors lower_;
  UpperBound upper_;
};

}  // namespace interpole::planning
