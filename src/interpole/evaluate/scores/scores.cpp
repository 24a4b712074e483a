#include "interpole/evaluate/scores/scores.hpp"

namespace interpole::evaluate {
namespace {

// Calls visit(positive, negative) once for every distinct score, so that ties need no further thought.
template <class Visit>
void for_each_distinct(std::span<const WeightedScore> ranked, const Visit& visit) {
  for (std::size_t i = 0; i < ranked.size();) {
    WeightedScore tied = ranked[i];
    for (++i; i < ranked.size() && ranked[i].score == tied.score; ++i) {
      tied.positive += ranked[i].positive;
      tied.negative += ranked[i].negative;
    }
    visit(tied.positive, tied.negative);
  }
}

WeightedScore totals(std::span<const WeightedScore> scores) {
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

std::optional<double> area_under_roc_ranked(std::span<const WeightedScore> scores) {
  const WeightedScore all = totals(scores);
  if (all.positive <= 0.0 || all.negative <= 0.0) return std::nullopt;
  double positives_above = 0.0;
  double pairs_won = 0.0;
  for_each_distinct(scores, [&](double positive, double negative) {
    pairs_won += negative * (positives_above + 0.5 * positive);
    positives_above += positive;
  });
  return pairs_won / (all.positive * all.negative);
}

std::optional<double> average_precision_ranked(std::span<const WeightedScore> scores) {
  const WeightedScore all = totals(scores);
  if (all.positive <= 0.0) return std::nullopt;
  double positives = 0.0;
  double flagged = 0.0;
  double area = 0.0;
  for_each_distinct(scores, [&](double positive, double negative) {
    positives += positive;
    flagged += positive + negative;
    if (positive > 0.0) area += positive * positives / flagged;
  });
  return area / all.positive;
}

}  // namespace interpole::evaluate
