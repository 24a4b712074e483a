// Logistic regression of several actions: π(a | x) = softmax_a(w_a·x + b_a), maximum of
//   Σ n log π − ½ penalty Σ w²
// with intercepts b that are not penalised. Features are first divided by their spread, so that one penalty
// suits all; one that does not vary keeps weight zero. Concave: one maximum.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpole/learners/features/history_features.hpp"
#include "interpole/optimize/objective.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::learners {

struct SoftmaxWeights {
  std::vector<double> scales;      // [feature] its standard deviation; 0: it does not vary and is left out
  std::vector<double> weights;     // [feature·A + a], of the feature divided by its scale
  std::vector<double> intercepts;  // [a]
};

// Standard deviation of each feature over decisions; counts is [row·A + a].
std::vector<double> feature_scales(const SparseRows& rows, int features, int actions,
                                   std::span<const double> counts);

// Coordinates: weights [feature·A + a], then intercepts. Keeps references.
class SoftmaxRegression : public optimize::Objective {
 public:
  SoftmaxRegression(const SparseRows& rows, std::span<const double> scales, int actions,
                    std::span<const double> counts, double penalty);
  int size() const override { return static_cast<int>(scales_.size() + 1) * actions_; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override;
  // O(rows · (entries · A)²).
  std::vector<double> second_derivatives(std::span<const double> x,
                                         const std::function<bool()>& stop) override;

 private:
  void add_curvature(std::size_t row, std::span<const double> weights, std::vector<double>& result) const;

  const SparseRows& rows_;
  std::span<const double> scales_;
  int actions_;
  std::span<const double> counts_;
  double penalty_;
  std::vector<double> policy_;
};

// π of every row, [row·A + a].
std::vector<double> softmax_policies(const SparseRows& rows, const SoftmaxWeights& weights);

// Σ n log π.
double softmax_log_likelihood(const SparseRows& rows, const SoftmaxWeights& weights,
                              std::span<const double> counts);

}  // namespace interpole::learners
