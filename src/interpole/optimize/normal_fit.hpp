// The normal density that comes closest to another at its peak: what a sampler needs to begin well.
#pragma once

#include <span>
#include <vector>

#include "interpole/optimize/objective.hpp"

namespace interpole::optimize {

struct NormalFit {
  std::vector<double> mode;
  std::vector<double> covariance;  // n·n: of the normal density that falls off as fast
  double log_density = 0.0;        // at the mode
};

// How wide a log-density is at its peak `mode`, or close to it. Measures how fast it falls, first close by,
// then at one standard deviation of what was found (2n gradients each time) until that fits: small kinks, of
// which second derivatives make much, are too small to matter there. Coordinates should be such that a change
// by one matters and one by a hundredth hardly does. Directions of which the density says nothing are taken
// to be `most_sd` wide.
NormalFit fit_normal(Objective& log_density, std::vector<double> mode, double most_sd);

// A log-density in coordinates in which a normal fit is the standard normal: zero is its mode.
class WhitenedObjective : public Objective {
 public:
  // Throws a usage error if the covariance is not positive definite. The target must outlive it.
  WhitenedObjective(Objective& target, const NormalFit& fit);

  int size() const override { return target_.size(); }
  double evaluate(std::span<const double> z, std::span<double> gradient) override;

  // The target's coordinates of a point; valid until the next call or evaluation.
  std::span<const double> place(std::span<const double> z);
  // And back.
  std::vector<double> whitened(std::span<const double> x) const;

 private:
  Objective& target_;
  std::vector<double> mode_;
  std::vector<double> factor_;  // lower triangle of the covariance's root, row by row
  std::vector<double> x_, by_x_;
};

}  // namespace interpole::optimize
