// Unconstrained coordinates of constrained numbers, with their Jacobians.
//
// Every free block of parameters is mapped from y ∈ R^k without constraints:
//   simplex   n numbers ≥ 0 summing to m:  θ = m·softmax(V y)    k = n − 1
//   affine    n numbers summing to m:      μ = m/n + V y          k = n − 1
//   positive  one number > 0:              η = exp(y)             k = 1
// V (n × (n−1)) is the Helmert basis: orthonormal columns, each orthogonal to (1, …, 1). Distances in y are
// therefore the same whatever order the categories are listed in (docs/decisions/0003-coordinates.md).
//
// Templates, so that tests can run them in complex arithmetic (complex-step derivatives).
#pragma once

#include <cmath>
#include <complex>
#include <span>

namespace interpole::model {

inline double real_part(double x) {
  return x;
}
inline double real_part(const std::complex<double>& x) {
  return x.real();
}

// x = V y, x.size() == y.size() + 1. Cost O(n).
template <class Scalar>
void helmert_apply(std::span<const Scalar> y, std::span<Scalar> x) {
  const std::size_t n = x.size();
  Scalar tail = 0.0;  // Σ_{k ≥ i} w_k y_k
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) tail += y[i] / std::sqrt(static_cast<double>((i + 1) * (i + 2)));
    x[i] = tail;
    if (i > 0) x[i] -= y[i - 1] * std::sqrt(static_cast<double>(i) / static_cast<double>(i + 1));
  }
}

// y = Vᵀ x.
template <class Scalar>
void helmert_transpose(std::span<const Scalar> x, std::span<Scalar> y) {
  Scalar head = 0.0;  // Σ_{i ≤ k} x_i
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    head += x[k];
    const double steps = static_cast<double>(k + 1);
    y[k] = (head - steps * x[k + 1]) / std::sqrt(steps * (steps + 1.0));
  }
}

// θ = mass·softmax(V y).
template <class Scalar>
void simplex_point(std::span<const Scalar> y, double mass, std::span<Scalar> theta) {
  helmert_apply(y, theta);
  double highest = -INFINITY;
  for (const Scalar& x : theta) highest = std::max(highest, real_part(x));
  Scalar total = 0.0;
  for (Scalar& x : theta) total += x = std::exp(x - highest);
  for (Scalar& x : theta) x *= mass / total;
}

// y from θ > 0. Zeros are lifted to a floor, so that a start on the edge of the simplex can still move.
void simplex_coordinates(std::span<const double> theta, std::span<double> y);

// dy += (∂θ/∂y)ᵀ dθ at θ.
void simplex_pull_back(std::span<const double> theta, double mass, std::span<const double> d_theta,
                       std::span<double> d_y);

// log |det ∂(θ_1 … θ_{n−1})/∂y| and its gradient added to d_y (may be empty).
double simplex_log_jacobian(std::span<const double> theta, double mass, std::span<double> d_y);

// μ = mass/n + V y.
template <class Scalar>
void affine_point(std::span<const Scalar> y, double mass, std::span<Scalar> mu) {
  helmert_apply(y, mu);
  for (Scalar& x : mu) x += mass / static_cast<double>(mu.size());
}

}  // namespace interpole::model
