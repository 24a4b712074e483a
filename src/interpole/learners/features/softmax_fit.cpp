#include "interpole/learners/features/softmax_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learners {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Stop = optimize::OptimizeSummary::Stop;

constexpr int kMostHalvings = 40;
constexpr double kPromiseKept = 1e-4;     // of the promised gain, for a step to be taken
constexpr double kValueRounding = 1e-11;  // of a value
// Of the largest curvature, added to all: an action that nobody takes leaves its intercept none.
constexpr double kLeastBend = 1e-11;

class NewtonClimb {
 public:
  NewtonClimb(SoftmaxRegression& objective, int actions, VectorXd x, const std::function<bool()>& stop)
      : objective_(objective), actions_(actions), x_(std::move(x)), stop_(stop) {
    value_ = evaluate(x_, gradient_);
  }

  optimize::OptimizeSummary run(const SoftmaxFitOptions& options) {
    optimize::OptimizeSummary summary;
    summary.stop = climb(options, summary.iterations);
    summary.value = value_;
    summary.evaluations = evaluations_;
    summary.gradient_norm = gradient_.norm();
    summary.converged = summary.stop == Stop::kValue;
    return summary;
  }
  const VectorXd& x() const { return x_; }

 private:
  double evaluate(const VectorXd& x, VectorXd& gradient) {
    ++evaluations_;
    gradient.resize(x.size());
    const auto n = static_cast<std::size_t>(x.size());
    return objective_.evaluate({x.data(), n}, {gradient.data(), n});
  }

  Stop climb(const SoftmaxFitOptions& options, int& iterations) {
    while (iterations < options.most_iterations) {
      if (stop_ && stop_()) return Stop::kInterrupted;
      VectorXd step;
      if (!newton_step(step)) return stop_ && stop_() ? Stop::kInterrupted : Stop::kLineSearch;
      const double promised = 0.5 * gradient_.dot(step);
      ++iterations;
      if (!take(step)) return Stop::kLineSearch;
      if (promised <= options.gain_tolerance * std::max(1.0, std::abs(value_))) return Stop::kValue;
    }
    return Stop::kIterations;
  }

  // −∇²f is positive but for what all intercepts have in common, which changes nothing: held by a spring
  // there, on which the gradient does not pull.
  bool newton_step(VectorXd& step) {
    const auto n = static_cast<std::size_t>(x_.size());
    const std::vector<double> flat = objective_.second_derivatives({x_.data(), n}, stop_);
    MatrixXd bend = -Eigen::Map<const MatrixXd>(flat.data(), x_.size(), x_.size());
    if (!bend.allFinite()) return false;
    auto intercepts = bend.bottomRightCorner(actions_, actions_);
    intercepts.array() += std::max(1.0, intercepts.diagonal().maxCoeff());
    bend.diagonal().array() += kLeastBend * bend.diagonal().maxCoeff();
    const Eigen::LLT<MatrixXd> factor(bend);
    if (factor.info() != Eigen::Success) return false;
    step = factor.solve(gradient_);
    return step.allFinite();
  }

  bool take(VectorXd step) {
    VectorXd gradient;
    for (int halving = 0; halving < kMostHalvings; ++halving, step *= 0.5) {
      const VectorXd x = x_ + step;
      const double value = evaluate(x, gradient);
      const double needed =
          kPromiseKept * gradient_.dot(step) - kValueRounding * std::max(1.0, std::abs(value_));
      if (!(value - value_ >= needed)) continue;
      x_ = x;
      value_ = value;
      gradient_ = gradient;
      return true;
    }
    return false;
  }

  SoftmaxRegression& objective_;
  int actions_;
  VectorXd x_, gradient_;
  double value_ = 0.0;
  int evaluations_ = 0;
  const std::function<bool()>& stop_;
};

}  // namespace

optimize::OptimizeSummary fit_softmax(const SparseRows& rows, std::span<const double> counts, double penalty,
                                      SoftmaxWeights& weights, const SoftmaxFitOptions& options,
                                      const std::function<bool()>& stop) {
  const auto A = static_cast<std::ptrdiff_t>(weights.intercepts.size());
  SoftmaxRegression objective(rows, weights.scales, static_cast<int>(A), counts, penalty);
  VectorXd x(objective.size());
  std::copy(weights.weights.begin(), weights.weights.end(), x.begin());
  std::copy(weights.intercepts.begin(), weights.intercepts.end(), x.end() - A);
  optimize::OptimizeSummary summary;
  if (objective.size() > options.most_dense) {
    const std::span<double> all(x.data(), static_cast<std::size_t>(x.size()));
    summary = optimize::maximise(objective, all, {.slow_tolerance = options.gain_tolerance}, stop);
  } else {
    NewtonClimb climb(objective, static_cast<int>(A), std::move(x), stop);
    summary = climb.run(options);
    x = climb.x();
  }
  std::copy(x.begin(), x.end() - A, weights.weights.begin());
  std::copy(x.end() - A, x.end(), weights.intercepts.begin());
  return summary;
}

}  // namespace interpole::learners
