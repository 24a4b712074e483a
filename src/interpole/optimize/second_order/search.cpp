#include "interpole/optimize/second_order/search.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/optimize/second_order/newton.hpp"

namespace interpole::optimize {
namespace {

// L-BFGS makes way when ten iterations together gained less than this share of the value, or after so many
// iterations: a Hessian then costs less than it did.
constexpr double kSlow = 1e-6;
constexpr int kBulkIterations = 50;
constexpr int kBulkPerCoordinate = 5;

}  // namespace

OptimizeSummary maximise(Objective& objective, std::span<double> x, const LbfgsOptions& options,
                         const std::function<bool()>& stop) {
  using Stop = OptimizeSummary::Stop;
  options.validate();
  LbfgsOptions bulk = options;
  bulk.slow_tolerance = std::max(options.slow_tolerance, kSlow);
  bulk.most_iterations =
      std::min(options.most_iterations, kBulkIterations + kBulkPerCoordinate * static_cast<int>(x.size()));
  const OptimizeSummary first = maximise_lbfgs(objective, x, bulk, stop);
  const bool finished = first.converged && first.stop == Stop::kGradient;
  if (finished || first.stop == Stop::kInterrupted || !std::isfinite(first.value)) return first;
  const int left = options.most_iterations - first.iterations;
  if (left < 1) {
    OptimizeSummary summary = first;
    summary.stop = Stop::kIterations;
    summary.converged = false;
    return summary;
  }
  OptimizeSummary summary = maximise_newton(objective, x,
                                            {.most_iterations = left,
                                             .gradient_tolerance = options.gradient_tolerance,
                                             .gain_tolerance = options.slow_tolerance},
                                            stop);
  summary.iterations += first.iterations;
  summary.evaluations += first.evaluations;
  return summary;
}

}  // namespace interpole::optimize
