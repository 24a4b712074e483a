// L-BFGS: the optimiser for everything smooth. liblbfgs does the work (docs/decisions/0002-lbfgs.md).
#pragma once

#include <functional>
#include <span>

#include "interpole/optimize/objective.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::optimize {

struct LbfgsOptions {
  int most_iterations = 2000;
  int memory = 10;                   // remembered steps
  double gradient_tolerance = 1e-5;  // stop when ‖g‖ ≤ tolerance · max(1, ‖x‖)
  double value_tolerance = 1e-13;    // … or when an iteration gained less than this share of |value|
  double slow_tolerance =
      1e-9;               // … or when ten iterations together gained less than this share: on a ridge that
                          // climbs for ever (a probability going to zero) nothing worth having is left
  void validate() const;  // throws a usage error
};

// Maximises from x and leaves the best point seen in x. `stop` is asked once per iteration.
OptimizeSummary maximise_lbfgs(Objective& objective, std::span<double> x, const LbfgsOptions& options,
                               const std::function<bool()>& stop = {});

}  // namespace interpole::optimize
