#include "interpole/data/seen/logistic.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::data {
namespace {

constexpr int kMostSteps = 25;
constexpr double kSmallStep = 1e-6;
constexpr double kLongestStep = 4.0;    // in any weight: steps of separated data would run away
constexpr double kFreeConstant = 1e-6;  // keeps the matrix regular where all targets are alike

double probability_of(double score) {
  return score >= 0.0 ? 1.0 / (1.0 + std::exp(-score)) : 1.0 - 1.0 / (1.0 + std::exp(score));
}

// Solves matrix · x = right for a symmetric positive definite matrix (lower triangle), in place.
void solve_in_place(std::vector<double>& matrix, std::vector<double>& right) {
  const std::size_t n = right.size();
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = matrix[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= matrix[j * n + k] * matrix[j * n + k];
    pivot = std::sqrt(std::max(pivot, 1e-12));
    matrix[j * n + j] = pivot;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
      matrix[i * n + j] = sum / pivot;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
    right[i] /= matrix[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
    right[i] /= matrix[i * n + i];
  }
}

}  // namespace

double logistic_probability(const Features& features, std::size_t row, std::span<const double> weights) {
  double score = 0.0;
  for (std::size_t j = 0; j < features.count; ++j) score += features.row(row)[j] * weights[j];
  return probability_of(score);
}

std::vector<double> fit_logistic(const Features& features, std::span<const char> target,
                                 std::span<const char> used, double ridge) {
  const std::size_t n = features.count;
  std::vector<double> weights(n, 0.0), gradient(n), curvature(n * n);
  for (int step = 0; step < kMostSteps; ++step) {
    for (std::size_t j = 0; j < n; ++j) {
      const double pull = j == 0 ? kFreeConstant : ridge;
      gradient[j] = -pull * weights[j];
      for (std::size_t k = 0; k <= j; ++k) curvature[j * n + k] = j == k ? pull : 0.0;
    }
    for (std::size_t i = 0; i < features.rows(); ++i) {
      if (used[i] == 0) continue;
      const double p = logistic_probability(features, i, weights);
      const double* x = features.row(i);
      const double residual = (target[i] != 0 ? 1.0 : 0.0) - p;
      const double spread = p * (1.0 - p);
      for (std::size_t j = 0; j < n; ++j) {
        if (x[j] == 0.0) continue;
        gradient[j] += residual * x[j];
        for (std::size_t k = 0; k <= j; ++k) curvature[j * n + k] += spread * x[j] * x[k];
      }
    }
    solve_in_place(curvature, gradient);
    double longest = 0.0;
    for (const double change : gradient) longest = std::max(longest, std::abs(change));
    const double scale = longest > kLongestStep ? kLongestStep / longest : 1.0;
    for (std::size_t j = 0; j < n; ++j) weights[j] += scale * gradient[j];
    if (longest < kSmallStep) break;
  }
  return weights;
}

}  // namespace interpole::data
