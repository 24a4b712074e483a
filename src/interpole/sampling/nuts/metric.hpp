// The metric of a Hamiltonian sampler: the covariance (inverse metric) it believes the target has. Momenta
// are drawn from Normal(0, inverse⁻¹); velocity = inverse · momentum.
//
// Plain loops with one fixed order of additions, so that a chain goes on bit-identically wherever its memory
// happens to lie.
#pragma once

#include <span>
#include <vector>

#include "interpole/base/random.hpp"

namespace interpole::sampling {

enum class MetricKind { kDiagonal, kDense };

// Numbers in an inverse metric: n or n·n.
constexpr std::size_t metric_entries(MetricKind kind, std::size_t size) {
  return kind == MetricKind::kDense ? size * size : size;
}

class Metric {
 public:
  // `inverse`: n variances or an n·n covariance; empty for the identity. Throws a usage error if it is not
  // finite, symmetric and positive definite.
  Metric(MetricKind kind, int size, std::span<const double> inverse);

  // Takes a new inverse metric; false, and nothing changed, if it is not finite and positive definite.
  bool replace(std::span<const double> inverse);

  MetricKind kind() const { return kind_; }
  int size() const { return size_; }
  const std::vector<double>& inverse() const { return inverse_; }

  void velocity(std::span<const double> momentum, std::span<double> velocity) const;
  void draw_momentum(base::RandomStream& random, std::span<double> momentum) const;

 private:
  MetricKind kind_;
  int size_;
  std::vector<double> inverse_;
  std::vector<double> factor_;  // diagonal: standard deviations; dense: Cholesky's L, row by row
};

// A dense covariance as it is, or where rounding has left it singular (two coordinates that move as one in
// all points it was made of), with correlations weakened just so far that it is positive definite. Variances
// must be finite and positive; they stay.
std::vector<double> definite_covariance(std::vector<double> covariance, int size);

}  // namespace interpole::sampling
