#include "interpole/learn/uncertainty/laplace.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/optimize/hessian.hpp"
#include "interpole/optimize/second_order/search.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

// The weakest prior (means with a standard deviation of 10) has a curvature of 0.01.
constexpr double kCurvatureFloor = 1e-3;
constexpr double kWeak = 0.05;
constexpr double kTakesPartInWeak = 0.05;  // squared share of a direction

using Matrix = Eigen::MatrixXd;

// −∇², from second derivatives row by row.
Matrix curvature(const std::vector<double>& hessian, Eigen::Index n) {
  return -Eigen::Map<const Matrix>(hessian.data(), n, n);
}

// Directions in which the prior makes up nearly all of the posterior's curvature: eigenvectors of the prior's
// curvature in coordinates where the posterior's is one.
std::vector<WeakDirection> weak_directions(const Matrix& factor, const Matrix& prior,
                                           const std::vector<std::string>& names) {
  std::vector<WeakDirection> result;
  const auto solver = optimize::symmetric_eigen(factor.transpose() * prior * factor);
  for (Eigen::Index k = 0; k < factor.rows(); ++k) {
    const double information = 1.0 - solver.values[k];
    if (!(information < kWeak)) continue;
    Eigen::VectorXd direction = factor * solver.vectors.col(k);
    direction /= std::max(direction.norm(), 1e-300);
    WeakDirection weak{std::clamp(information, 0.0, 1.0), {}};
    for (Eigen::Index i = 0; i < direction.size(); ++i) {
      if (direction[i] * direction[i] < kTakesPartInWeak) continue;
      if (std::find(weak.involved.begin(), weak.involved.end(), names[i]) == weak.involved.end()) {
        weak.involved.push_back(names[i]);
      }
    }
    result.push_back(std::move(weak));
  }
  return result;
}

}  // namespace

std::vector<double> Laplace::draw(base::RandomStream& random, double width) const {
  const std::size_t n = centre.size();
  std::vector<double> normals(n);
  for (double& x : normals) x = width * random.normal();
  std::vector<double> y = centre;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[i] += factor[i * n + j] * normals[j];
  }
  return y;
}

double Laplace::variance(int i, int j) const {
  const std::size_t n = centre.size();
  double sum = 0.0;
  for (std::size_t k = 0; k < n; ++k) sum += factor[i * n + k] * factor[j * n + k];
  return sum;
}

void Laplace::hold(const std::vector<std::vector<double>>& directions) {
  if (directions.empty()) return;
  const auto n = static_cast<Eigen::Index>(centre.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor> stored(factor.data(), n, n);
  Matrix covariance = stored * stored.transpose();
  for (const auto& direction : directions) {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
    for (std::size_t i = 0; i < direction.size(); ++i) u[static_cast<Eigen::Index>(i)] = direction[i];
    const Eigen::VectorXd spread = covariance * u;
    covariance -= spread * spread.transpose() / std::max(u.dot(spread), 1e-300);
  }
  stored = optimize::singular_cholesky_factor(covariance);
}

Laplace laplace(Posterior& posterior, std::span<const double> start, const optimize::LbfgsOptions& options) {
  std::vector<double> centre(start.begin(), start.end());
  if (centre.empty()) return laplace_at(posterior, {}, {});
  optimize::maximise(posterior, centre, options);
  const auto hessian = optimize::hessian(posterior, centre);
  return laplace_at(posterior, std::move(centre), hessian);
}

Laplace laplace_at(Posterior& posterior, std::vector<double> centre, const std::vector<double>& hessian) {
  Laplace result;
  result.centre = std::move(centre);
  const std::size_t size = result.centre.size();
  const auto n = static_cast<Eigen::Index>(size);
  std::vector<double> gradient(size);
  result.log_density = result.log_evidence = posterior.evaluate(result.centre, gradient);
  if (n == 0) return result;
  const Matrix bend = curvature(hessian, n);
  if (!bend.allFinite()) {
    result.proper = false;
    result.factor.assign(size * size, 0.0);
    return result;
  }
  const auto solver = optimize::symmetric_eigen(bend);
  const Eigen::VectorXd values = solver.values.cwiseMax(kCurvatureFloor);
  result.proper = solver.values.minCoeff() >= kCurvatureFloor;
  const Matrix covariance = solver.vectors * values.cwiseInverse().asDiagonal() * solver.vectors.transpose();
  const Matrix factor = optimize::cholesky_factor(covariance);
  result.log_evidence +=
      0.5 * static_cast<double>(n) * std::log(2.0 * std::numbers::pi) - 0.5 * values.array().log().sum();
  result.factor.resize(size * size);
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(result.factor.data(), n,
                                                                                     n) = factor;
  PriorAlone prior(posterior);
  result.weak =
      weak_directions(factor, curvature(optimize::hessian(prior, result.centre), n), posterior.names());
  return result;
}

}  // namespace interpole::learn
