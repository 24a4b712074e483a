#include "interpole/sampling/nuts/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/error.hpp"
#include "interpole/optimize/all_finite.hpp"

namespace interpole::sampling {
namespace {

// Lower factor of a covariance; empty if it is not positive definite.
std::vector<double> cholesky(std::span<const double> a, int n) {
  std::vector<double> factor(a.size(), 0.0);
  for (int i = 0; i < n; ++i) {
    double* row = &factor[static_cast<std::size_t>(i) * n];
    for (int j = 0; j <= i; ++j) {
      const double* other = &factor[static_cast<std::size_t>(j) * n];
      double rest = a[static_cast<std::size_t>(i) * n + j];
      for (int k = 0; k < j; ++k) rest -= row[k] * other[k];
      if (j < i) {
        row[j] = rest / other[j];
      } else {
        if (!(rest > 0.0) || !std::isfinite(rest)) return {};
        row[i] = std::sqrt(rest);
      }
    }
  }
  return optimize::all_finite(factor) ? factor : std::vector<double>{};
}

std::vector<double> standard_deviations(std::span<const double> variances) {
  std::vector<double> factor;
  factor.reserve(variances.size());
  for (const double v : variances) {
    if (!(v > 0.0) || !std::isfinite(v)) return {};
    factor.push_back(std::sqrt(v));
  }
  return factor;
}

std::vector<double> identity(MetricKind kind, int size) {
  std::vector<double> inverse(metric_entries(kind, size), 0.0);
  const std::size_t stride = kind == MetricKind::kDense ? size + 1 : 1;
  for (int i = 0; i < size; ++i) inverse[i * stride] = 1.0;
  return inverse;
}

void require_symmetry(std::span<const double> inverse, int size) {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) {
      const double a = inverse[static_cast<std::size_t>(i) * size + j];
      const double b = inverse[static_cast<std::size_t>(j) * size + i];
      if (std::abs(a - b) <= 1e-8 * std::max(std::abs(a), std::abs(b))) continue;
      throw usage_error(fmt::format(
          "inverse metric: entry ({0}, {1}) is {2} but ({1}, {0}) is {3}; give a symmetric covariance", i, j,
          a, b));
    }
  }
}

}  // namespace

Metric::Metric(MetricKind kind, int size, std::span<const double> inverse) : kind_(kind), size_(size) {
  const std::size_t entries = metric_entries(kind, size);
  if (!inverse.empty() && inverse.size() != entries) {
    throw usage_error(fmt::format("inverse metric: {} numbers for {} coordinates; a {} metric takes {}",
                                  inverse.size(), size, kind == MetricKind::kDense ? "dense" : "diagonal",
                                  entries));
  }
  if (kind == MetricKind::kDense && !inverse.empty()) require_symmetry(inverse, size);
  if (!replace(inverse.empty() ? std::span<const double>(identity(kind, size)) : inverse)) {
    throw usage_error(
        "inverse metric: not finite and positive definite; give a covariance, or none to start "
        "from the identity");
  }
}

bool Metric::replace(std::span<const double> inverse) {
  std::vector<double> factor =
      kind_ == MetricKind::kDense ? cholesky(inverse, size_) : standard_deviations(inverse);
  if (factor.size() != inverse.size()) return false;
  inverse_.assign(inverse.begin(), inverse.end());
  factor_ = std::move(factor);
  return true;
}

void Metric::velocity(std::span<const double> momentum, std::span<double> velocity) const {
  const auto n = static_cast<std::size_t>(size_);
  const double* p = momentum.data();
  double* v = velocity.data();
  if (kind_ == MetricKind::kDiagonal) {
    for (std::size_t i = 0; i < n; ++i) v[i] = inverse_[i] * p[i];
    return;
  }
  // Column by column (the matrix is symmetric): the inner loop vectorises without reordering a sum.
  std::fill_n(v, n, 0.0);
  const double* column = inverse_.data();
  for (std::size_t j = 0; j < n; ++j, column += n) {
    for (std::size_t i = 0; i < n; ++i) v[i] += column[i] * p[j];
  }
}

// With inverse = L·Lᵀ, momenta L⁻ᵀz have covariance inverse⁻¹.
void Metric::draw_momentum(base::RandomStream& random, std::span<double> momentum) const {
  for (double& p : momentum) p = random.normal();
  const auto n = static_cast<std::size_t>(size_);
  if (kind_ == MetricKind::kDiagonal) {
    for (std::size_t i = 0; i < n; ++i) momentum[i] /= factor_[i];
    return;
  }
  for (std::size_t i = n; i-- > 0;) {
    const double* row = &factor_[i * n];
    momentum[i] /= row[i];
    for (std::size_t j = 0; j < i; ++j) momentum[j] -= row[j] * momentum[i];
  }
}

std::vector<double> definite_covariance(std::vector<double> covariance, int size) {
  for (double weakened = 1e-12; cholesky(covariance, size).empty() && weakened <= 1.0; weakened *= 10.0) {
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        if (i != j) covariance[static_cast<std::size_t>(i) * size + j] *= 1.0 - weakened;
      }
    }
  }
  return covariance;
}

}  // namespace interpole::sampling
