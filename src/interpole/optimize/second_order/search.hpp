// The search for everything smooth: L-BFGS while it gains well, Newton's method to finish
// (docs/decisions/0021-second-order-search.md).
#pragma once

#include <functional>
#include <span>

#include "interpole/optimize/lbfgs.hpp"
#include "interpole/optimize/objective.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::optimize {

// Maximises from x and leaves the best point seen in x. The two methods share one budget of iterations and
// one tolerance of the gradient. Converged: the gradient is within the tolerance, or the full Newton step
// promises less than 1e-9 of the value. `stop` is asked once per iteration.
OptimizeSummary maximise(Objective& objective, std::span<double> x, const LbfgsOptions& options,
                         const std::function<bool()>& stop = {});

}  // namespace interpole::optimize
