#include "interpole/optimize/normal_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/error.hpp"
#include "interpole/optimize/hessian.hpp"

namespace interpole::optimize {
namespace {

constexpr double kCloseBy = 0.02;

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// The inverse of a precision whose eigenvalues are first brought between two limits. Where differences were
// taken across a kink, curvature may even have the wrong sign.
Matrix inverse_within(const Matrix& precision, double least, double most) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(precision);
  const auto variances = solver.eigenvalues().cwiseMax(least).cwiseMin(most).cwiseInverse().eval();
  return solver.eigenvectors() * variances.asDiagonal() * solver.eigenvectors().transpose();
}

Matrix symmetric(const Matrix& m) {
  return 0.5 * (m + m.transpose());
}

// Minus the differences of the gradient one standard deviation to both sides, along the columns of `root`.
// Not finite if the density is not, at one of these places.
Matrix falloff(Objective& log_density, const Vector& mode, const Matrix& root) {
  const auto gradient_at = [&](const Vector& x) {
    Vector gradient(x.size());
    const auto n = static_cast<std::size_t>(x.size());
    const double value = log_density.evaluate({x.data(), n}, {gradient.data(), n});
    return std::isfinite(value) ? gradient : Vector(Vector::Constant(x.size(), NAN));
  };
  Matrix precision(root.cols(), root.cols());
  for (Eigen::Index j = 0; j < root.cols(); ++j) {
    precision.col(j) =
        0.5 * root.transpose() * (gradient_at(mode - root.col(j)) - gradient_at(mode + root.col(j)));
  }
  return symmetric(precision);
}

Matrix principal_axes(const Matrix& covariance) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(covariance);
  return solver.eigenvectors() * solver.eigenvalues().cwiseSqrt().asDiagonal();
}

// A covariance that fits at its own standard deviation.
Matrix refined(Objective& log_density, const Vector& mode, Matrix covariance) {
  constexpr int kMostPasses = 8;
  constexpr double kWider = 9.0;  // at most so many times the variance in one pass
  constexpr double kNarrower = 1e4;
  constexpr double kFits = 1.5;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const Matrix root = principal_axes(covariance);
    const Matrix precision = falloff(log_density, mode, root);
    if (!precision.allFinite()) {  // too wide: the density ends there
      covariance /= kWider;
      continue;
    }
    covariance = symmetric(root * inverse_within(precision, 1.0 / kWider, kNarrower) * root.transpose());
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(precision, Eigen::EigenvaluesOnly);
    if (solver.eigenvalues().minCoeff() > 1.0 / kFits && solver.eigenvalues().maxCoeff() < kFits) break;
  }
  return covariance;
}

}  // namespace

NormalFit fit_normal(Objective& log_density, std::vector<double> mode, double most_sd) {
  const auto n = static_cast<Eigen::Index>(mode.size());
  NormalFit fit{std::move(mode), std::vector<double>(n), 0.0};
  fit.log_density = log_density.evaluate(fit.mode, fit.covariance);  // the gradient is not needed
  const Vector peak = Eigen::Map<const Vector>(fit.mode.data(), n);
  const std::vector<double> differences = hessian_by_differences(log_density, fit.mode, kCloseBy);
  const Matrix curvature = -Eigen::Map<const Matrix>(differences.data(), n, n);
  const Matrix close_by =
      curvature.allFinite() ? inverse_within(curvature, 1.0, INFINITY) : Matrix(Matrix::Identity(n, n));
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(refined(log_density, peak, symmetric(close_by)));
  const auto variances = solver.eigenvalues().cwiseMin(most_sd * most_sd).eval();
  const Matrix covariance =
      symmetric(solver.eigenvectors() * variances.asDiagonal() * solver.eigenvectors().transpose());
  fit.covariance.assign(covariance.data(), covariance.data() + covariance.size());
  return fit;
}

WhitenedObjective::WhitenedObjective(Objective& target, const NormalFit& fit)
    : target_(target), mode_(fit.mode), x_(fit.mode.size()), by_x_(fit.mode.size()) {
  const auto n = static_cast<Eigen::Index>(mode_.size());
  const Eigen::LLT<Matrix> root(Eigen::Map<const Matrix>(fit.covariance.data(), n, n));
  const Matrix lower = root.matrixL();
  if (root.info() != Eigen::Success || !lower.allFinite()) {
    throw usage_error("the covariance of a normal fit must be finite and positive definite");
  }
  factor_.assign(lower.data(), lower.data() + lower.size());
}

std::span<const double> WhitenedObjective::place(std::span<const double> z) {
  const std::size_t n = mode_.size();
  for (std::size_t i = 0; i < n; ++i) {
    x_[i] = mode_[i];
    for (std::size_t j = 0; j <= i; ++j) x_[i] += factor_[i * n + j] * z[j];
  }
  return x_;
}

std::vector<double> WhitenedObjective::whitened(std::span<const double> x) const {
  const std::size_t n = mode_.size();
  std::vector<double> z(n);
  for (std::size_t i = 0; i < n; ++i) {
    z[i] = x[i] - mode_[i];
    for (std::size_t j = 0; j < i; ++j) z[i] -= factor_[i * n + j] * z[j];
    z[i] /= factor_[i * n + i];
  }
  return z;
}

double WhitenedObjective::evaluate(std::span<const double> z, std::span<double> gradient) {
  const std::size_t n = mode_.size();
  const double value = target_.evaluate(place(z), by_x_);
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) gradient[j] += factor_[i * n + j] * by_x_[i];
  }
  return value;
}

}  // namespace interpole::optimize
