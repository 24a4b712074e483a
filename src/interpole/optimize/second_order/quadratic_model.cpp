#include "interpole/optimize/second_order/quadratic_model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "interpole/optimize/hessian.hpp"

namespace interpole::optimize {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::span<const double> numbers(const VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

// B = −∇²f, with its eigenvalues. A step taken corrects B along that step: the symmetric rank-one update.
class DenseModel : public QuadraticModel {
 public:
  explicit DenseModel(Objective& objective) : objective_(objective) {}

  bool measure(const VectorXd& x) override {
    const auto flat = hessian(objective_, numbers(x));
    bend_ = -Eigen::Map<const MatrixXd>(flat.data(), x.size(), x.size());
    measured_ = bend_.allFinite();
    fresh_ = true;
    steps_ = 0;
    decomposed_ = false;
    return measured_;
  }
  bool measured() const override { return measured_; }
  bool fresh() const override { return fresh_; }
  bool just_measured() const override { return fresh_ && steps_ == 1; }
  void forget() override { measured_ = false; }

  void learn(const VectorXd& step, const VectorXd& fall) override {
    fresh_ = false;
    const VectorXd missing = fall - bend_ * step;
    const double along = missing.dot(step);
    if (std::abs(along) < kLeastCorrection * missing.norm() * step.norm()) return;
    bend_ += missing * missing.transpose() / along;
    decomposed_ = false;
  }

  ModelStep best_step(const VectorXd& gradient, double radius) override {
    if (!decomposed_) decompose();
    ++steps_;
    ModelStep result = best_step_within(axes_.eigenvectors().transpose() * gradient, values_, radius);
    result.step = axes_.eigenvectors() * result.step;
    return result;
  }

  std::vector<double> covariance(double least) override {
    if (!decomposed_) decompose();
    const MatrixXd result = axes_.eigenvectors() *
                            values_.cwiseAbs().cwiseMax(least).cwiseInverse().asDiagonal() *
                            axes_.eigenvectors().transpose();
    return {result.data(), result.data() + result.size()};
  }

 private:
  static constexpr double kLeastCorrection = 1e-8;
  static constexpr double kNoise = 1e-9;  // of differences, beside the largest curvature

  // What differences cannot tell from zero counts as just above it: nothing is to be gained by its sign.
  void decompose() {
    axes_.compute(bend_);
    values_ = axes_.eigenvalues();
    const double noise = std::max(kNoise * values_.cwiseAbs().maxCoeff(), 1e-300);
    for (double& value : values_) {
      if (std::abs(value) < noise) value = noise;
    }
    decomposed_ = true;
  }

  Objective& objective_;
  MatrixXd bend_;
  VectorXd values_;
  Eigen::SelfAdjointEigenSolver<MatrixXd> axes_;
  bool measured_ = false;
  bool fresh_ = false;
  bool decomposed_ = false;
  int steps_ = 0;
};

// Products with B by central differences of the gradient; the step by conjugate gradients, which end at the
// edge of the region or where the model turns upwards.
class ProductModel : public QuadraticModel {
 public:
  explicit ProductModel(Objective& objective) : objective_(objective) {}

  bool measure(const VectorXd& x) override {
    x_ = x;
    measured_ = true;
    return true;
  }
  bool measured() const override { return measured_; }
  bool fresh() const override { return true; }
  bool just_measured() const override { return false; }
  void forget() override { measured_ = false; }
  void learn(const VectorXd&, const VectorXd&) override { measured_ = false; }

  ModelStep best_step(const VectorXd& gradient, double radius) override {
    VectorXd step = VectorXd::Zero(gradient.size());
    VectorXd residual = gradient;
    VectorXd direction = gradient;
    double gain = 0.0;
    // As exact as pays: the closer to the top, the more.
    const double enough = gradient.norm() * std::min(0.1, std::sqrt(gradient.norm()));
    const Eigen::Index most = std::min<Eigen::Index>(gradient.size(), kMostProducts);
    for (Eigen::Index k = 0; k < most && residual.norm() > enough; ++k) {
      const VectorXd product = times(direction);
      if (!product.allFinite()) return {std::move(step), gain, false};
      const double bend = direction.dot(product);
      const double square = residual.squaredNorm();
      const double length = bend > 0.0 ? square / bend : INFINITY;
      if (!(bend > 0.0) || (step + length * direction).norm() >= radius) {
        const double to_edge = distance_to_edge(step, direction, radius);
        gain += to_edge * residual.dot(direction) - 0.5 * to_edge * to_edge * bend;
        return {step + to_edge * direction, gain, false};
      }
      step += length * direction;
      gain += length * residual.dot(direction) - 0.5 * length * length * bend;
      residual -= length * product;
      direction = residual + residual.squaredNorm() / square * direction;
    }
    return {std::move(step), gain, true};
  }
  std::vector<double> covariance(double) override { return {}; }

 private:
  static constexpr int kMostProducts = 250;
  static constexpr double kDifference = 1e-5;

  VectorXd times(const VectorXd& direction) {
    const double h = kDifference / std::max(direction.norm(), 1e-300);
    VectorXd there(x_.size());
    VectorXd here(x_.size());
    const auto gradient_at = [&](const VectorXd& x, VectorXd& gradient) {
      const auto n = static_cast<std::size_t>(x.size());
      if (!std::isfinite(objective_.evaluate(numbers(x), {gradient.data(), n}))) gradient.setConstant(NAN);
    };
    gradient_at(x_ + h * direction, there);
    gradient_at(x_ - h * direction, here);
    return (here - there) / (2.0 * h);
  }

  static double distance_to_edge(const VectorXd& step, const VectorXd& direction, double radius) {
    const double a = direction.squaredNorm();
    const double b = step.dot(direction);
    const double c = step.squaredNorm() - radius * radius;
    return (std::sqrt(std::max(0.0, b * b - a * c)) - b) / a;
  }

  Objective& objective_;
  VectorXd x_;
  bool measured_ = false;
};

}  // namespace

std::unique_ptr<QuadraticModel> make_quadratic_model(Objective& objective, int most_dense) {
  if (objective.size() > most_dense) return std::make_unique<ProductModel>(objective);
  return std::make_unique<DenseModel>(objective);
}

}  // namespace interpole::optimize
