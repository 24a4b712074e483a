#include "interpole/evaluate/scores.hpp"

#include <algorithm>

namespace interpole {
namespace {

// Highest score first; equal scores merged into one entry, so that ties need no further thought.
void rank(std::vector<WeightedScore>& scores) {
  std::sort(scores.begin(), scores.end(),
            [](const WeightedScore& a, const WeightedScore& b) { return a.score > b.score; });
  std::size_t distinct = 0;
  for (const WeightedScore& entry : scores) {
    if (distinct > 0 && scores[distinct - 1].score == entry.score) {
      scores[distinct - 1].positive += entry.positive;
      scores[distinct - 1].negative += entry.negative;
    } else {
      scores[distinct++] = entry;
    }
  }
  scores.resize(distinct);
}

WeightedScore totals(const std::vector<WeightedScore>& scores) {
  WeightedScore sum;
  for (const WeightedScore& entry : scores) {
    sum.positive += entry.positive;
    sum.negative += entry.negative;
  }
  return sum;
}

}  // namespace

std::optional<double> brier_score(const std::vector<WeightedScore>& scores) {
  const WeightedScore all = totals(scores);
  const double weight = all.positive + all.negative;
  if (weight <= 0.0) return std::nullopt;
  double sum = 0.0;
  for (const WeightedScore& entry : scores) {
    const double miss = 1.0 - entry.score;
    sum += entry.positive * miss * miss + entry.negative * entry.score * entry.score;
  }
  return sum / weight;
}

std::optional<double> area_under_roc(std::vector<WeightedScore> scores) {
  rank(scores);
  const WeightedScore all = totals(scores);
  if (all.positive <= 0.0 || all.negative <= 0.0) return std::nullopt;
  double positives_above = 0.0;
  double pairs_won = 0.0;
  for (const WeightedScore& entry : scores) {
    pairs_won += entry.negative * (positives_above + 0.5 * entry.positive);
    positives_above += entry.positive;
  }
  return pairs_won / (all.positive * all.negative);
}

std::optional<double> average_precision(std::vector<WeightedScore> scores) {
  rank(scores);
  const WeightedScore all = totals(scores);
  if (all.positive <= 0.0) return std::nullopt;
  double positives = 0.0;
  double flagged = 0.0;
  double area = 0.0;
  for (const WeightedScore& entry : scores) {
    positives += entry.positive;
    flagged += entry.positive + entry.negative;
    if (entry.positive > 0.0) area += entry.positive * positives / flagged;
  }
  return area / all.positive;
}

}  // namespace interpole
