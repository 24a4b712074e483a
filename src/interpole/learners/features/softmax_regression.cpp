#include "interpole/learners/features/softmax_regression.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learners {
namespace {

constexpr double kDoesNotVary = 1e-9;  // of a feature's largest value

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

optimize::OptimizeSummary fit_softmax(const SparseRows& rows, std::span<const double> counts, double penalty,
                                      SoftmaxWeights& weights, bool to_the_end,
                                      const std::function<bool()>& stop) {
  const std::size_t A = weights.intercepts.size();
  SoftmaxRegression objective(rows, weights.scales, static_cast<int>(A), counts, penalty);
  std::vector<double> x = weights.weights;
  x.insert(x.end(), weights.intercepts.begin(), weights.intercepts.end());
  optimize::LbfgsOptions options;
  if (!to_the_end) options.gradient_tolerance = 1e-3;
  const optimize::OptimizeSummary summary = to_the_end
                                                ? optimize::maximise(objective, x, options, stop)
                                                : optimize::maximise_lbfgs(objective, x, options, stop);
  weights.weights.assign(x.begin(), x.end() - static_cast<std::ptrdiff_t>(A));
  weights.intercepts.assign(x.end() - static_cast<std::ptrdiff_t>(A), x.end());
  return summary;
}

}  // namespace interpole::learners
