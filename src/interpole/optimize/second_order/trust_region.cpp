#include "interpole/optimize/second_order/trust_region.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::optimize {
namespace {

using Eigen::VectorXd;

// A step within this share of the radius is as long as the radius.
constexpr double kLengthTolerance = 1e-6;
constexpr int kMostTrials = 200;

double gain_of(const VectorXd& gradient, const VectorXd& curvature, const VectorXd& step) {
  return gradient.dot(step) - 0.5 * (curvature.array() * step.array().square()).sum();
}

// (B + shift)⁻¹ g; nothing along directions in which both vanish.
VectorXd shifted_step(const VectorXd& gradient, const VectorXd& curvature, double shift) {
  VectorXd step(gradient.size());
  for (Eigen::Index i = 0; i < step.size(); ++i) {
    const double bend = curvature[i] + shift;
    step[i] = bend > 0.0 ? gradient[i] / bend : 0.0;
  }
  return step;
}

}  // namespace

ModelStep best_step_within(const VectorXd& gradient, const VectorXd& curvature, double radius) {
  const double lowest = curvature[0];
  if (lowest > 0.0) {
    VectorXd step = gradient.cwiseQuotient(curvature);
    if (step.norm() <= radius) {
      const double gain = gain_of(gradient, curvature, step);
      return {std::move(step), gain, true};
    }
  }
  // The length falls as the shift rises; at the upper end it is at most the radius.
  double low = std::max(0.0, -lowest);
  double high = low + gradient.norm() / radius;
  // Nothing pulls along the lowest curvature: no shift makes the step long enough, so that direction does.
  VectorXd step = shifted_step(gradient, curvature, low);
  const double rest = radius * radius - step.squaredNorm();
  const bool nothing_pulls = !(std::abs(gradient[0]) > 1e-12 * gradient.norm());
  if (lowest <= 0.0 && nothing_pulls && rest >= 0.0) {
    step[0] += std::copysign(std::sqrt(rest), gradient[0]);
    const double gain = gain_of(gradient, curvature, step);
    return {std::move(step), gain, false};
  }
  double shift = high;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    step = shifted_step(gradient, curvature, shift);
    const double length = step.norm();
    if (std::abs(length - radius) <= kLengthTolerance * radius) break;
    (length > radius ? low : high) = shift;
    // Newton's method for 1/length = 1/radius, which is nearly linear in the shift; halving where it leaves
    // the bracket.
    double bend = 0.0;
    for (Eigen::Index i = 0; i < step.size(); ++i) {
      if (curvature[i] + shift > 0.0) bend += step[i] * step[i] / (curvature[i] + shift);
    }
    const double next = shift + (length / radius - 1.0) * length * length / std::max(bend, 1e-300);
    shift = next > low && next < high ? next : 0.5 * (low + high);
    if (!(high - low > 1e-15 * high)) break;
  }
  const double gain = gain_of(gradient, curvature, step);
  return {std::move(step), gain, false};
}

}  // namespace interpole::optimize
