#include "interpole/optimize/adam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/error.hpp"

namespace interpole::optimize {
namespace {

constexpr double kFirstDecay = 0.9;
constexpr double kSecondDecay = 0.999;
constexpr double kGuard = 1e-8;

double norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

}  // namespace

void Adam::step(std::span<const double> gradient, std::span<double> x) {
  first_decay_ *= kFirstDecay;
  second_decay_ *= kSecondDecay;
  for (std::size_t i = 0; i < x.size(); ++i) {
    first_[i] = kFirstDecay * first_[i] + (1.0 - kFirstDecay) * gradient[i];
    second_[i] = kSecondDecay * second_[i] + (1.0 - kSecondDecay) * gradient[i] * gradient[i];
    const double mean = first_[i] / (1.0 - first_decay_);
    const double square = second_[i] / (1.0 - second_decay_);
    x[i] += rate_ * mean / (std::sqrt(square) + kGuard);
  }
}

void AdamOptions::validate() const {
  if (!(rate > 0.0) || !std::isfinite(rate)) {
    throw usage_error(fmt::format("Adam's rate: {} is not a finite number above 0", rate));
  }
  if (patience < 1) throw usage_error(fmt::format("Adam's patience: {} is below 1", patience));
  if (most_iterations < 1) {
    throw usage_error(
        fmt::format("option most-iterations: {} is below 1; allow at least one", most_iterations));
  }
}

OptimizeSummary maximise_adam(Objective& objective, std::span<double> x, const AdamOptions& options,
                              const std::function<bool()>& stop) {
  options.validate();
  Adam adam(static_cast<int>(x.size()), options.rate);
  std::vector<double> gradient(x.size());
  std::vector<double> best(x.begin(), x.end());
  OptimizeSummary summary;
  summary.value = -INFINITY;
  summary.stop = OptimizeSummary::Stop::kIterations;
  int since_best = 0;
  for (int k = 0; k < options.most_iterations; ++k) {
    const double value = objective.evaluate(x, gradient);
    ++summary.evaluations;
    summary.iterations = k + 1;
    if (value > summary.value) {
      summary.value = value;
      summary.gradient_norm = norm(gradient);
      best.assign(x.begin(), x.end());
      since_best = 0;
    } else if (++since_best >= options.patience) {
      summary.stop = OptimizeSummary::Stop::kPatience;
      summary.converged = true;
      break;
    }
    if (stop && stop()) {
      summary.stop = OptimizeSummary::Stop::kInterrupted;
      break;
    }
    adam.step(gradient, x);
  }
  std::copy(best.begin(), best.end(), x.begin());
  return summary;
}

}  // namespace interpole::optimize
