#include "interpole/optimize/second_order/newton.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "interpole/error.hpp"
#include "interpole/optimize/lbfgs.hpp"
#include "interpole/optimize/normal_fit.hpp"
#include "interpole/optimize/second_order/quadratic_model.hpp"
#include "interpole/optimize/watched.hpp"

namespace interpole::optimize {
namespace {

using Eigen::VectorXd;
using Stop = OptimizeSummary::Stop;

constexpr double kAccepted = 1e-4;  // share of the promised gain
constexpr double kPoor = 0.25;
constexpr double kGood = 0.75;
constexpr double kLargestRadius = 1e3;
constexpr double kSmallestRadius = 1e-12;
// Steps with a corrected Hessian whose promise is too small to matter, before it is measured anew to be sure.
constexpr int kSmallPromises = 4;
// What rounding may take from a value.
constexpr double kRounding = 1e-13;
// Of the climb in whitened coordinates: the curvature that counts as flat, the gain over ten iterations (as a
// share of the value) that is too little to go on, and what else L-BFGS is told.
constexpr double kLeastCurvature = 1e-3;
constexpr double kWhitenedGain = 1e-8;
constexpr double kWhitenedGradient = 1e-6;
constexpr int kWhitenedIterations = 20;
constexpr int kWhitenedMemory = 20;

struct Place {
  VectorXd x, gradient;
  double value = -INFINITY;

  bool defined() const { return std::isfinite(value) && gradient.allFinite(); }
};

class Climb {
 public:
  Climb(Objective& objective, std::span<const double> x, const NewtonOptions& options,
        const std::function<bool()>& stop)
      : watched_(objective, stop), options_(options), radius_(options.first_radius) {
    at_ = evaluate(Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
    model_ = make_quadratic_model(watched_, options.most_dense);
  }

  OptimizeSummary run() {
    OptimizeSummary summary;
    summary.stop = climb(summary.iterations);
    summary.value = at_.value;
    summary.gradient_norm = at_.gradient.norm();
    summary.evaluations = watched_.evaluations();
    summary.converged = summary.stop == Stop::kGradient || summary.stop == Stop::kValue;
    return summary;
  }

  const VectorXd& x() const { return at_.x; }

 private:
  Place evaluate(const VectorXd& x) {
    Place place{x, VectorXd::Zero(x.size())};
    const auto n = static_cast<std::size_t>(x.size());
    place.value = watched_.evaluate({place.x.data(), n}, {place.gradient.data(), n});
    return place;
  }

  bool flat() const {
    return at_.gradient.norm() <= options_.gradient_tolerance * std::max(1.0, at_.x.norm());
  }

  double worth_having(double share) const { return share * std::max(1.0, std::abs(at_.value)); }

  Stop climb(int& iterations) {
    if (!at_.defined()) return watched_.stopped() ? Stop::kInterrupted : Stop::kLineSearch;
    int small_promises = 0;
    while (!flat()) {
      if (watched_.stopped()) return Stop::kInterrupted;
      if (iterations >= options_.most_iterations) return Stop::kIterations;
      if (!model_->measured() && !model_->measure(at_.x)) {
        return watched_.stopped() ? Stop::kInterrupted : Stop::kLineSearch;
      }
      const ModelStep step = model_->best_step(at_.gradient, radius_);
      const bool fresh = model_->fresh();
      const bool nothing_left = step.gain <= worth_having(options_.gain_tolerance) &&
                                (step.whole || radius_ >= options_.first_radius);
      if (nothing_left && !fresh && ++small_promises > kSmallPromises) {
        small_promises = 0;
        model_->forget();
        continue;
      }
      if (whitening_pays_ && !nothing_left && !step.whole && model_->just_measured() &&
          climb_whitened(iterations))
        continue;
      ++iterations;
      if (nothing_left && fresh) {
        take_last(step);
        return Stop::kValue;
      }
      take(step);
      if (radius_ < kSmallestRadius) return Stop::kLineSearch;
    }
    return Stop::kGradient;
  }

  // Where the top is not in reach: L-BFGS in coordinates in which the Hessian is round. It makes more of a
  // Hessian than steps that follow a straight line along a bent ridge. False if it did not move.
  bool climb_whitened(int& iterations) {
    NormalFit fit{{at_.x.begin(), at_.x.end()}, model_->covariance(kLeastCurvature), at_.value};
    if (fit.covariance.empty()) return false;
    WhitenedObjective white(watched_, fit);
    std::vector<double> z(fit.mode.size(), 0.0);
    const int pays = kWhitenedIterations + 2 * static_cast<int>(z.size());  // what the Hessian cost
    const LbfgsOptions options{.most_iterations = std::min(pays, options_.most_iterations - iterations),
                               .memory = kWhitenedMemory,
                               .gradient_tolerance = kWhitenedGradient,
                               .slow_tolerance = kWhitenedGain};
    const auto summary = maximise_lbfgs(white, z, options, [&] { return watched_.stopped(); });
    iterations += std::max(1, summary.iterations);
    whitening_pays_ = summary.value - at_.value >= worth_having(kWhitenedGain);
    if (!(summary.value > at_.value)) return false;
    const auto place = white.place(z);
    std::copy(place.begin(), place.end(), at_.x.begin());
    at_.value = watched_.evaluate_in_any_case(place, {at_.gradient.data(), place.size()});
    model_->forget();
    radius_ = options_.first_radius;
    return true;
  }

  void take(const ModelStep& step) {
    Place next = evaluate(at_.x + step.step);
    const double length = step.step.norm();
    if (!next.defined()) {
      radius_ = kPoor * length;
      return;
    }
    const double gain = next.value - at_.value;
    const double share = gain / std::max(step.gain, 1e-300);
    const bool rounding = std::abs(gain) <= kRounding * std::max(1.0, std::abs(at_.value)) &&
                          next.gradient.norm() < at_.gradient.norm();
    const bool accepted = share > kAccepted || rounding;
    const bool poor = share < kPoor && !rounding;
    const bool outdated = poor && !model_->fresh();
    if (poor) radius_ = outdated ? std::min(radius_, length) : kPoor * length;
    if (share > kGood && !step.whole) radius_ = std::min(2.0 * radius_, kLargestRadius);
    if (accepted) {
      model_->learn(step.step, at_.gradient - next.gradient);
      at_ = std::move(next);
    }
    if (outdated) {
      model_->forget();
      whitening_pays_ = true;
    }
  }

  // The gain does not matter any more; the gradient might.
  void take_last(const ModelStep& step) {
    Place next = evaluate(at_.x + step.step);
    const bool no_worse = next.value >= at_.value - worth_having(kRounding);
    if (next.defined() && no_worse && next.gradient.norm() < at_.gradient.norm()) at_ = std::move(next);
  }

  Watched watched_;
  const NewtonOptions& options_;
  double radius_;
  bool whitening_pays_ = true;  // the last climb in whitened coordinates gained enough
  Place at_;
  std::unique_ptr<QuadraticModel> model_;
};

}  // namespace

void NewtonOptions::validate() const {
  if (most_iterations < 1) {
    throw usage_error(
        fmt::format("option most-iterations: {} is below 1; allow at least one", most_iterations));
  }
  if (!(gradient_tolerance > 0.0) || !std::isfinite(gradient_tolerance)) {
    throw usage_error(fmt::format("option tolerance: {} is not a finite number above 0", gradient_tolerance));
  }
  if (!(gain_tolerance >= 0.0) || !std::isfinite(gain_tolerance)) {
    throw usage_error(
        fmt::format("Newton's gain tolerance: {} is not a finite number from 0", gain_tolerance));
  }
  if (!(first_radius > 0.0) || !std::isfinite(first_radius)) {
    throw usage_error(fmt::format("Newton's first radius: {} is not a finite number above 0", first_radius));
  }
}

OptimizeSummary maximise_newton(Objective& objective, std::span<double> x, const NewtonOptions& options,
                                const std::function<bool()>& stop) {
  options.validate();
  if (x.empty()) {  // everything is known: there is one point to evaluate
    OptimizeSummary summary;
    summary.value = objective.evaluate(x, x);
    summary.evaluations = 1;
    summary.converged = true;
    return summary;
  }
  Climb climb(objective, x, options, stop);
  const OptimizeSummary summary = climb.run();
  std::copy(climb.x().begin(), climb.x().end(), x.begin());
  return summary;
}

}  // namespace interpole::optimize
