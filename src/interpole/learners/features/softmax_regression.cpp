#include "interpole/learners/features/softmax_regression.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::learners {
namespace {

constexpr double kDoesNotVary = 1e-9;           // of a feature's largest value
constexpr std::size_t kRowsPerQuestion = 1024;  // whether to stop

// logits → probabilities in place; returns log Σ exp.
double softmax(std::span<double> logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (double& l : logits) sum += l = std::exp(l - highest);
  for (double& l : logits) l /= sum;
  return highest + std::log(sum);
}

void linear_scores(const SparseRows& rows, std::size_t row, std::span<const double> scales,
                   std::span<const double> weights, std::span<const double> intercepts,
                   std::span<double> scores) {
  std::copy(intercepts.begin(), intercepts.end(), scores.begin());
  const std::size_t A = scores.size();
  for (std::size_t e = rows.begin[row]; e < rows.begin[row + 1]; ++e) {
    const auto f = static_cast<std::size_t>(rows.feature[e]);
    if (scales[f] == 0.0) continue;
    const double x = rows.value[e] / scales[f];
    for (std::size_t a = 0; a < A; ++a) scores[a] += x * weights[f * A + a];
  }
}

}  // namespace

std::vector<double> feature_scales(const SparseRows& rows, int features, int actions,
                                   std::span<const double> counts) {
  std::vector<double> sum(features, 0.0), squares(features, 0.0), largest(features, 0.0);
  double total = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double decisions = 0.0;
    for (int a = 0; a < actions; ++a) decisions += counts[row * actions + a];
    total += decisions;
    for (std::size_t e = rows.begin[row]; e < rows.begin[row + 1]; ++e) {
      const double x = rows.value[e];
      sum[rows.feature[e]] += decisions * x;
      squares[rows.feature[e]] += decisions * x * x;
      largest[rows.feature[e]] = std::max(largest[rows.feature[e]], std::abs(x));
    }
  }
  std::vector<double> scales(features, 0.0);
  if (total <= 0.0) return scales;
  for (int f = 0; f < features; ++f) {
    const double mean = sum[f] / total;
    const double deviation = std::sqrt(std::max(0.0, squares[f] / total - mean * mean));
    if (deviation > kDoesNotVary * largest[f]) scales[f] = deviation;
  }
  return scales;
}

SoftmaxRegression::SoftmaxRegression(const SparseRows& rows, std::span<const double> scales, int actions,
                                     std::span<const double> counts, double penalty)
    : rows_(rows), scales_(scales), actions_(actions), counts_(counts), penalty_(penalty), policy_(actions) {}

double SoftmaxRegression::evaluate(std::span<const double> x, std::span<double> gradient) {
  const auto A = static_cast<std::size_t>(actions_);
  const std::size_t first_intercept = scales_.size() * A;
  const auto intercepts = x.subspan(first_intercept);
  double value = 0.0;
  for (std::size_t i = 0; i < first_intercept; ++i) {
    gradient[i] = -penalty_ * x[i];
    value -= 0.5 * penalty_ * x[i] * x[i];
  }
  std::fill(gradient.begin() + static_cast<std::ptrdiff_t>(first_intercept), gradient.end(), 0.0);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double* taken = &counts_[row * A];
    double decisions = 0.0;
    for (std::size_t a = 0; a < A; ++a) decisions += taken[a];
    if (decisions == 0.0) continue;
    linear_scores(rows_, row, scales_, x, intercepts, policy_);
    for (std::size_t a = 0; a < A; ++a) value += taken[a] * policy_[a];
    value -= decisions * softmax(policy_);
    for (std::size_t a = 0; a < A; ++a) {
      policy_[a] = taken[a] - decisions * policy_[a];
      gradient[first_intercept + a] += policy_[a];
    }
    for (std::size_t e = rows_.begin[row]; e < rows_.begin[row + 1]; ++e) {
      const auto f = static_cast<std::size_t>(rows_.feature[e]);
      if (scales_[f] == 0.0) continue;
      const double scaled = rows_.value[e] / scales_[f];
      for (std::size_t a = 0; a < A; ++a) gradient[f * A + a] += scaled * policy_[a];
    }
  }
  return value;
}

// One row's part, where features are in rising order: blocks of A · A on and below the diagonal.
void SoftmaxRegression::add_curvature(std::size_t row, std::span<const double> weights,
                                      std::vector<double>& result) const {
  const auto A = static_cast<std::size_t>(actions_);
  const auto n = static_cast<std::size_t>(size());
  const auto block = [&](std::size_t f, std::size_t g, double x) {
    for (std::size_t a = 0; a < A; ++a) {
      double* into = &result[(f * A + a) * n + g * A];
      for (std::size_t b = 0; b < A; ++b) into[b] += x * weights[a * A + b];
    }
  };
  block(scales_.size(), scales_.size(), 1.0);
  for (std::size_t e = rows_.begin[row]; e < rows_.begin[row + 1]; ++e) {
    const auto f = static_cast<std::size_t>(rows_.feature[e]);
    if (scales_[f] == 0.0) continue;
    const double x = rows_.value[e] / scales_[f];
    block(scales_.size(), f, x);
    for (std::size_t d = rows_.begin[row]; d <= e; ++d) {
      const auto g = static_cast<std::size_t>(rows_.feature[d]);
      if (scales_[g] != 0.0) block(std::max(f, g), std::min(f, g), x * rows_.value[d] / scales_[g]);
    }
  }
}

std::vector<double> SoftmaxRegression::second_derivatives(std::span<const double> x,
                                                          const std::function<bool()>& stop) {
  const auto A = static_cast<std::size_t>(actions_);
  const auto n = static_cast<std::size_t>(size());
  const std::size_t first_intercept = scales_.size() * A;
  std::vector<double> result(n * n, 0.0), weights(A * A);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double decisions = std::accumulate(&counts_[row * A], &counts_[row * A] + A, 0.0);
    if (decisions == 0.0) continue;
    linear_scores(rows_, row, scales_, x, x.subspan(first_intercept), policy_);
    softmax(policy_);
    for (std::size_t a = 0; a < A; ++a) {
      for (std::size_t b = 0; b < A; ++b) {
        weights[a * A + b] = decisions * policy_[a] * (policy_[b] - (a == b ? 1.0 : 0.0));
      }
    }
    add_curvature(row, weights, result);
    if (row % kRowsPerQuestion == 0 && stop && stop()) return std::vector<double>(n * n, NAN);
  }
  for (std::size_t i = 0; i < first_intercept; ++i) result[i * n + i] -= penalty_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) result[j * n + i] = result[i * n + j];
  }
  return result;
}

std::vector<double> softmax_policies(const SparseRows& rows, const SoftmaxWeights& weights) {
  const std::size_t A = weights.intercepts.size();
  std::vector<double> result(rows.size() * A);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::span<double> here(&result[row * A], A);
    linear_scores(rows, row, weights.scales, weights.weights, weights.intercepts, here);
    softmax(here);
  }
  return result;
}

double softmax_log_likelihood(const SparseRows& rows, const SoftmaxWeights& weights,
                              std::span<const double> counts) {
  std::vector<double> logits(weights.intercepts.size());
  double sum = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    linear_scores(rows, row, weights.scales, weights.weights, weights.intercepts, logits);
    const double* taken = &counts[row * logits.size()];
    double decisions = 0.0;
    for (std::size_t a = 0; a < logits.size(); ++a) {
      sum += taken[a] * logits[a];
      decisions += taken[a];
    }
    sum -= decisions * softmax(logits);
  }
  return sum;
}

}  // namespace interpole::learners
