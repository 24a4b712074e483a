// The posterior near its mode as a normal distribution of the coordinates: evidence, draws, and what the data
// leave open (docs/mathematics/laplace.md).
#pragma once

#include <string>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/optimize/lbfgs.hpp"

namespace interpole::learn {

// A direction of the coordinate space about which the data say (almost) nothing: the prior decides.
struct WeakDirection {
  double information = 0.0;           // share of the posterior's curvature that comes from the data
  std::vector<std::string> involved;  // rows of parameters that take part
};

struct Laplace {
  std::vector<double> centre;  // the mode
  std::vector<double> factor;  // n × n, row by row, lower triangular: centre + factor·normals is a draw
  double log_density = 0.0;    // at the centre
  double log_evidence = 0.0;   // log ∫ exp(log-posterior)
  std::vector<WeakDirection> weak;
  // False if the curvature at the centre was not that of a maximum; it was then floored, and nothing above
  // is to be trusted in those directions.
  bool proper = true;

  int size() const { return static_cast<int>(centre.size()); }
  // Of a distribution that is `width` times as wide.
  std::vector<double> draw(base::RandomStream& random, double width = 1.0) const;
  double variance(int i, int j) const;  // covariance of two coordinates

  // Takes the spread along these directions of the first coordinates away, and what of the others' spread
  // hangs on it. For directions that change nothing (a choice of gauge): the straight line of a normal
  // distribution would leave the curve along which nothing changes.
  void hold(const std::vector<std::vector<double>>& directions);
};

// Expands around the mode found from `start`. The posterior must be one of coordinates
// (Measure::kCoordinates).
Laplace laplace(Posterior& posterior, std::span<const double> start, const optimize::LbfgsOptions& options);
// Around a mode that is known, with its second derivatives.
Laplace laplace_at(Posterior& posterior, std::vector<double> centre, const std::vector<double>& hessian);

}  // namespace interpole::learn
