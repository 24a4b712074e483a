// The maximum of a softmax regression, by Newton's method: concave, so the full step is halved until it
// gains, and nothing else can go wrong.
#pragma once

#include <functional>
#include <span>

#include "interpole/learners/features/softmax_regression.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::learners {

struct SoftmaxFitOptions {
  int most_iterations = 200;
  // Stop after a step that promised no more than this share of max(1, |value|). The step after it would
  // promise about its square, so this is far from the precision of the result.
  double gain_tolerance = 1e-12;
  // Beyond so many weights and intercepts second derivatives are not written down; L-BFGS is left to it.
  int most_dense = 1000;
};

// From where `weights` is (its scales are kept). `stop` is asked once per iteration and meanwhile. Costs per
// iteration: second derivatives, and a Cholesky decomposition of (features · A)³ / 3 operations.
optimize::OptimizeSummary fit_softmax(const SparseRows& rows, std::span<const double> counts, double penalty,
                                      SoftmaxWeights& weights, const SoftmaxFitOptions& options,
                                      const std::function<bool()>& stop);

}  // namespace interpole::learners
