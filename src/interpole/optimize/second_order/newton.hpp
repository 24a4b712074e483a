// Newton's method within a trust region: finishes where L-BFGS crawls, along directions of which the
// objective says little (docs/decisions/0021-second-order-search.md).
#pragma once

#include <functional>
#include <span>

#include "interpole/optimize/objective.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::optimize {

struct NewtonOptions {
  int most_iterations = 2000;
  double gradient_tolerance = 1e-5;  // stop when ‖g‖ ≤ tolerance · max(1, ‖x‖)
  double gain_tolerance =
      1e-9;  // … or when the full Newton step promises less than this share of max(1, |value|): so it
             // ends on a ridge that climbs for ever (a probability going to zero)
  double first_radius = 1.0;
  int most_dense = 500;   // beyond so many coordinates the Hessian is never written down
  void validate() const;  // throws a usage error
};

// Maximises from x and leaves the best point seen in x. Second derivatives are differences of the exact
// gradient: up to most_dense coordinates the whole Hessian (2n gradients, then n³ operations), corrected by
// each step taken (SR1) and measured anew when steps disappoint; beyond, products with it (two gradients
// each) by conjugate gradients (Steihaug, 1983). Where the curvature is not that of a maximum the step goes
// to the edge of the region; where the objective is not defined the region shrinks. `stop` is asked once per
// iteration and while the Hessian is measured.
OptimizeSummary maximise_newton(Objective& objective, std::span<double> x, const NewtonOptions& options,
                                const std::function<bool()>& stop = {});

}  // namespace interpole::optimize
