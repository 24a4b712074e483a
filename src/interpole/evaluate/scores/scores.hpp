// How well predicted probabilities match what happened: Brier score, area under the ROC curve, average
// precision. Weighted, because one node of a history tree stands for many decisions with the same prediction.
// Definitions and the handling of ties are scikit-learn's (brier_score_loss, roc_auc_score,
// average_precision_score).
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace interpole::evaluate {

struct WeightedScore {
  double score = 0.0;     // predicted probability of the event
  double positive = 0.0;  // how often it happened where this was predicted
  double negative = 0.0;  // how often it did not
};

// Mean squared difference between prediction and event (0 or 1); 0 is best. nullopt: nothing was predicted.
std::optional<double> brier_score(const std::vector<WeightedScore>& scores);

// Of scores that come highest first: the probability that a positive scores above a negative, ties counting
// half. nullopt unless both kinds occur.
std::optional<double> area_under_roc_ranked(std::span<const WeightedScore> scores);

// Of scores that come highest first: Σ (recall gained at a threshold) × (precision there), over the distinct
// scores. nullopt without positives.
std::optional<double> average_precision_ranked(std::span<const WeightedScore> scores);

}  // namespace interpole::evaluate
