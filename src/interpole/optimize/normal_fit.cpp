#include "interpole/optimize/normal_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <utility>

#include "interpole/optimize/hessian.hpp"
#include "interpole/optimize/lbfgs.hpp"

namespace interpole {
namespace {

constexpr double kGradientStep = 1e-3;  // in units
constexpr double kHessianStep = 0.02;

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using LogDensity = std::function<double(std::span<const double>)>;

// The density in units, with a gradient by central differences.
class InUnits : public Objective {
 public:
  InUnits(const LogDensity& log_density, const std::vector<double>& units)
      : log_density_(log_density), units_(units), x_(units.size()) {}

  int size() const override { return static_cast<int>(units_.size()); }

  double value(std::span<const double> u) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = units_[i] * u[i];
    return log_density_(x_);
  }

  double evaluate(std::span<const double> u, std::span<double> gradient) override {
    const double here = value(u);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double centre = x_[i];
      x_[i] = centre + kGradientStep * units_[i];
      const double above = log_density_(x_);
      x_[i] = centre - kGradientStep * units_[i];
      gradient[i] = (above - log_density_(x_)) / (2.0 * kGradientStep);
      x_[i] = centre;
    }
    return here;
  }

 private:
  const LogDensity& log_density_;
  const std::vector<double>& units_;
  std::vector<double> x_;
};

// The inverse of a precision whose eigenvalues are first brought between two limits. Where differences were
// taken across a kink, curvature may even have the wrong sign.
Matrix inverse_within(const Matrix& precision, double least, double most) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(precision);
  const auto variances = solver.eigenvalues().cwiseMax(least).cwiseMin(most).cwiseInverse().eval();
  return solver.eigenvectors() * variances.asDiagonal() * solver.eigenvectors().transpose();
}

// How fast a log-density falls from a point, measured one standard deviation away.
class Falloff {
 public:
  Falloff(const LogDensity& log_density, const Vector& mode) : log_density_(log_density), mode_(mode) {
    here_ = value(mode_);
  }

  // Minus the second differences along and between the columns of `root`.
  Matrix precision(const Matrix& root) const {
    const Eigen::Index n = root.cols();
    Matrix result(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      result(i, i) = 2.0 * here_ - value(mode_ + root.col(i)) - value(mode_ - root.col(i));
      for (Eigen::Index j = 0; j < i; ++j) {
        // Along the diagonals of columns i and j, also one standard deviation long.
        const Vector sum = (root.col(i) + root.col(j)) * M_SQRT1_2;
        const Vector difference = (root.col(i) - root.col(j)) * M_SQRT1_2;
        const double along_sum = value(mode_ + sum) + value(mode_ - sum);
        const double along_difference = value(mode_ + difference) + value(mode_ - difference);
        result(i, j) = result(j, i) = 0.5 * (along_difference - along_sum);
      }
    }
    return result;
  }

 private:
  // Nothing falls for ever: one place where the density is zero must not hide what the others say.
  double value(const Vector& x) const {
    constexpr double kDeepest = 1e4;
    const double found = log_density_({x.data(), static_cast<std::size_t>(x.size())});
    return std::isfinite(here_) && !(found > here_ - kDeepest) ? here_ - kDeepest : found;
  }

  const LogDensity& log_density_;
  const Vector& mode_;
  double here_ = -INFINITY;
};

// A covariance that fits at its own standard deviation.
Matrix refined(const LogDensity& log_density, const Vector& mode, Matrix covariance) {
  constexpr int kMostPasses = 8;
  constexpr double kWider = 9.0;  // at most so many times the variance in one pass
  constexpr double kNarrower = 1e6;
  constexpr double kFits = 1.5;
  const Falloff falloff(log_density, mode);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const Matrix root = Eigen::LLT<Matrix>(covariance).matrixL();
    const Matrix change = inverse_within(falloff.precision(root), 1.0 / kWider, kNarrower);
    covariance = root * change * root.transpose();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(change, Eigen::EigenvaluesOnly);
    if (solver.eigenvalues().minCoeff() > 1.0 / kFits && solver.eigenvalues().maxCoeff() < kFits) break;
  }
  return covariance;
}

}  // namespace

NormalFit fit_normal(const std::function<double(std::span<const double>)>& log_density,
                     std::vector<double> start, const NormalFitOptions& options,
                     const std::function<bool()>& stop) {
  const auto n = static_cast<Eigen::Index>(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] /= options.units[i];
  InUnits objective(log_density, options.units);
  // Differences are no better than this: asking for more would only try the line search's patience.
  const LbfgsOptions lbfgs{.most_iterations = options.most_iterations,
                           .gradient_tolerance = 1e-2,
                           .value_tolerance = 1e-7,
                           .slow_tolerance = 1e-5};
  NormalFit fit;
  fit.log_density = maximise_lbfgs(objective, start, lbfgs, stop).value;
  const double least = 1.0 / (options.most_sd * options.most_sd);
  const std::vector<double> differences = hessian(objective, start, kHessianStep);
  const Matrix curvature = -Eigen::Map<const Matrix>(differences.data(), n, n);
  const Matrix close_by =
      curvature.allFinite() ? inverse_within(curvature, least, INFINITY) : Matrix(Matrix::Identity(n, n));
  const LogDensity in_units = [&](std::span<const double> u) { return objective.value(u); };
  const Vector mode = Eigen::Map<const Vector>(start.data(), n);
  Matrix covariance = refined(in_units, mode, close_by);
  covariance = inverse_within(covariance.inverse(), least, INFINITY);
  for (std::size_t i = 0; i < start.size(); ++i) {
    for (std::size_t j = 0; j < start.size(); ++j) {
      fit.covariance.push_back(options.units[i] * options.units[j] *
                               covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
    }
    fit.mode.push_back(options.units[i] * start[i]);
  }
  return fit;
}

}  // namespace interpole
