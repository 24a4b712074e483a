#include "interpole/optimize/lbfgs.hpp"

#include <fmt/format.h>
#include <lbfgs.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "interpole/error.hpp"

namespace interpole::optimize {
namespace {

// A line search that fails with a gradient this small (relative to the value) has met the limits of double
// precision.
constexpr double kRoundingGradient = 1e-5;
constexpr int kMostAttempts = 8;
constexpr int kWatchedIterations = 10;

struct Run {
  Objective& objective;
  const std::function<bool()>& stop;
  double value_tolerance;
  std::vector<double> best;
  double best_value = -INFINITY;
  double best_gradient_norm = INFINITY;
  int evaluations = 0;
  int iterations = 0;
  double last_value = -INFINITY;
  bool interrupted = false;
  bool exhausted = false;  // the last iteration gained next to nothing

  double tolerance() const { return value_tolerance * std::max(1.0, std::abs(last_value)); }
  bool settled_on_best() const { return best_value - last_value <= tolerance(); }
  bool at_rounding() const {
    return best_gradient_norm <= kRoundingGradient * std::max(1.0, std::abs(best_value));
  }
};

// liblbfgs minimises; where the objective is not defined it is shown a wall it can back away from.
lbfgsfloatval_t evaluate(void* instance, const lbfgsfloatval_t* x, lbfgsfloatval_t* g, int n,
                         lbfgsfloatval_t) {
  auto& run = *static_cast<Run*>(instance);
  const double value =
      run.objective.evaluate({x, static_cast<std::size_t>(n)}, {g, static_cast<std::size_t>(n)});
  ++run.evaluations;
  if (!std::isfinite(value)) {
    std::fill_n(g, n, 0.0);
    return 1e300;
  }
  double norm = 0.0;
  for (int i = 0; i < n; ++i) {
    g[i] = -g[i];
    norm += g[i] * g[i];
  }
  if (value > run.best_value) {
    run.best_value = value;
    run.best_gradient_norm = std::sqrt(norm);
    run.best.assign(x, x + n);
  }
  return -value;
}

int progress(void* instance, const lbfgsfloatval_t*, const lbfgsfloatval_t*, lbfgsfloatval_t negative_value,
             lbfgsfloatval_t, lbfgsfloatval_t, lbfgsfloatval_t, int, int, int) {
  auto& run = *static_cast<Run*>(instance);
  ++run.iterations;
  const double gain = -negative_value - run.last_value;
  run.last_value = -negative_value;
  run.interrupted = run.stop && run.stop();
  run.exhausted = gain <= run.tolerance();
  return run.interrupted || run.exhausted ? 1 : 0;
}

OptimizeSummary::Stop reason(int code, const Run& run) {
  if (run.interrupted) return OptimizeSummary::Stop::kInterrupted;
  if (run.exhausted) return OptimizeSummary::Stop::kValue;
  switch (code) {
    case LBFGS_SUCCESS:
    case LBFGS_ALREADY_MINIMIZED:
      return OptimizeSummary::Stop::kGradient;
    case LBFGS_STOP:
      return OptimizeSummary::Stop::kValue;
    case LBFGSERR_MAXIMUMITERATION:
      return OptimizeSummary::Stop::kIterations;
    default:
      return OptimizeSummary::Stop::kLineSearch;
  }
}

lbfgs_parameter_t parameters_of(const LbfgsOptions& options) {
  lbfgs_parameter_t p;
  lbfgs_parameter_init(&p);
  p.m = options.memory;
  p.epsilon = options.gradient_tolerance;
  p.past = kWatchedIterations;
  p.delta = options.slow_tolerance;
  p.max_iterations = options.most_iterations;
  p.max_linesearch = 20;
  return p;
}

}  // namespace

void LbfgsOptions::validate() const {
  if (most_iterations < 1) {
    throw usage_error(
        fmt::format("option most-iterations: {} is below 1; allow at least one", most_iterations));
  }
  if (memory < 1) throw usage_error(fmt::format("L-BFGS memory: {} is below 1", memory));
  if (!(gradient_tolerance > 0.0) || !std::isfinite(gradient_tolerance)) {
    throw usage_error(fmt::format("option tolerance: {} is not a finite number above 0", gradient_tolerance));
  }
}

OptimizeSummary maximise_lbfgs(Objective& objective, std::span<double> x, const LbfgsOptions& options,
                               const std::function<bool()>& stop) {
  options.validate();
  Run run{objective, stop, options.value_tolerance, std::vector<double>(x.begin(), x.end())};
  OptimizeSummary summary;
  if (x.empty()) {  // everything is known: there is one point to evaluate
    summary.value = objective.evaluate(x, x);
    summary.evaluations = 1;
    summary.converged = true;
    return summary;
  }
  // The first line search interpolates, which is quickest where the objective is smooth. If it gives up away
  // from a maximum (it met the edge of where the objective is defined), one that only halves its steps goes
  // on from the best point. So it does if the search passed over a better point than the one it settled on.
  lbfgs_parameter_t parameters = parameters_of(options);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::vector<double> point = run.best;
    const int code =
        lbfgs(static_cast<int>(point.size()), point.data(), nullptr, evaluate, progress, &run, &parameters);
    // No reason to go on from where it stood: with more memory it would have ended elsewhere.
    if (code == LBFGSERR_OUTOFMEMORY) throw std::bad_alloc();
    summary.stop = reason(code, run);
    if (summary.stop == OptimizeSummary::Stop::kInterrupted ||
        summary.stop == OptimizeSummary::Stop::kIterations)
      break;
    if (run.settled_on_best() && summary.stop != OptimizeSummary::Stop::kLineSearch) break;
    if (run.at_rounding()) break;
    parameters.linesearch = LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
  }
  std::copy(run.best.begin(), run.best.end(), x.begin());
  summary.value = run.best_value;
  summary.iterations = run.iterations;
  summary.evaluations = run.evaluations;
  summary.gradient_norm = run.best_gradient_norm;
  const bool settled =
      summary.stop == OptimizeSummary::Stop::kGradient || summary.stop == OptimizeSummary::Stop::kValue;
  summary.converged = (settled && run.settled_on_best()) ||
                      (summary.stop == OptimizeSummary::Stop::kLineSearch && run.at_rounding());
  return summary;
}

}  // namespace interpole::optimize
