#include "interpole/model/time/generator_exponential.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::model {
namespace {

constexpr int kTerms = 20;          // 1/20! is below what a double adds to 1
constexpr int kMostSquarings = 60;  // beyond, every row has long become that of the longest run

void divide_rows(double* matrix, std::size_t states) {
  for (std::size_t s = 0; s < states; ++s) {
    double sum = 0.0;
    for (std::size_t to = 0; to < states; ++to) sum += matrix[s * states + to];
    for (std::size_t to = 0; to < states; ++to) matrix[s * states + to] /= sum;
  }
}

// sum += factor·xᵀ y, or factor·x yᵀ.
void add_left_transposed(std::size_t n, const double* x, const double* y, double factor, double* sum) {
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) sum[i * n + j] += factor * x[k * n + i] * y[k * n + j];
    }
  }
}

void add_right_transposed(std::size_t n, const double* x, const double* y, double factor, double* sum) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double total = 0.0;
      for (std::size_t k = 0; k < n; ++k) total += x[i * n + k] * y[j * n + k];
      sum[i * n + j] += factor * total;
    }
  }
}

}  // namespace

void GeneratorExponential::multiply(const double* x, const double* y, double* product) const {
  const std::size_t n = states_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += x[i * n + k] * y[k * n + j];
      product[i * n + j] = sum;
    }
  }
}

void GeneratorExponential::evaluate(std::span<const double> Q, double t, std::span<double> result) {
  const std::size_t n = states_;
  const std::size_t size = n * n;
  double fastest = 0.0;
  for (std::size_t s = 0; s < n; ++s) fastest = std::max(fastest, -Q[s * n + s]);
  int squarings = 0;
  while (squarings < kMostSquarings && std::ldexp(fastest * t, -squarings) > 1.0) ++squarings;
  scaled_ = std::ldexp(t, -squarings);
  if (fastest * scaled_ > 1.0) scaled_ = 1.0 / fastest;
  shift_ = fastest * scaled_;
  B_.resize(size);
  for (std::size_t i = 0; i < size; ++i) B_[i] = Q[i] * scaled_;
  for (std::size_t s = 0; s < n; ++s) B_[s * n + s] = std::max(0.0, B_[s * n + s] + shift_);

  horner_.assign((kTerms + 1) * size, 0.0);
  for (std::size_t s = 0; s < n; ++s) horner_[kTerms * size + s * n + s] = 1.0;
  for (int term = kTerms; term >= 1; --term) {
    double* Y = &horner_[static_cast<std::size_t>(term - 1) * size];
    multiply(B_.data(), &horner_[static_cast<std::size_t>(term) * size], Y);
    for (std::size_t i = 0; i < size; ++i) Y[i] /= term;
    for (std::size_t s = 0; s < n; ++s) Y[s * n + s] += 1.0;
  }
  squares_.resize(static_cast<std::size_t>(squarings + 1) * size);
  for (std::size_t i = 0; i < size; ++i) squares_[i] = horner_[i] * std::exp(-shift_);
  divide_rows(squares_.data(), n);
  for (int k = 1; k <= squarings; ++k) {
    double* next = &squares_[static_cast<std::size_t>(k) * size];
    multiply(next - size, next - size, next);
    divide_rows(next, n);
  }
  std::copy_n(squares_.end() - static_cast<std::ptrdiff_t>(size), size, result.begin());
}

void GeneratorExponential::pull_back(std::span<const double> d_result, std::span<double> d_Q) {
  const std::size_t n = states_;
  const std::size_t size = n * n;
  d_.assign(d_result.begin(), d_result.end());
  for (std::size_t k = squares_.size() / size - 1; k > 0; --k) {
    const double* X = &squares_[(k - 1) * size];
    d_next_.assign(size, 0.0);
    add_right_transposed(n, d_.data(), X, 1.0, d_next_.data());
    add_left_transposed(n, X, d_.data(), 1.0, d_next_.data());
    d_.swap(d_next_);
  }
  for (double& d : d_) d *= std::exp(-shift_);
  for (int term = 1; term <= kTerms; ++term) {
    const double* Y = &horner_[static_cast<std::size_t>(term) * size];
    d_next_.assign(size, 0.0);
    add_left_transposed(n, B_.data(), d_.data(), 1.0 / term, d_next_.data());
    add_right_transposed(n, d_.data(), Y, scaled_ / term, d_Q.data());
    d_.swap(d_next_);
  }
}

}  // namespace interpole::model
