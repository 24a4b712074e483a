#include "interpole/evaluate/scores/scores.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "interpole/evaluate/scores/scores_testing.hpp"

namespace interpole::evaluate {
namespace {

// The definition, pair by pair.
double brute_force_auroc(const std::vector<WeightedScore>& scores) {
  double won = 0.0;
  double pairs = 0.0;
  for (const WeightedScore& a : scores) {
    for (const WeightedScore& b : scores) {
      const double weight = a.positive * b.negative;
      pairs += weight;
      if (a.score > b.score) won += weight;
      if (a.score == b.score) won += weight / 2.0;
    }
  }
  return won / pairs;
}

// The definition, threshold by threshold: (R_n − R_{n−1}) P_n over distinct scores, highest first.
double brute_force_average_precision(const std::vector<WeightedScore>& scores) {
  std::set<double, std::greater<>> thresholds;
  double positives = 0.0;
  for (const WeightedScore& entry : scores) {
    thresholds.insert(entry.score);
    positives += entry.positive;
  }
  double area = 0.0;
  double recall_before = 0.0;
  for (const double threshold : thresholds) {
    double hit = 0.0;
    double flagged = 0.0;
    for (const WeightedScore& entry : scores) {
      if (entry.score < threshold) continue;
      hit += entry.positive;
      flagged += entry.positive + entry.negative;
    }
    if (flagged == 0.0) continue;
    area += (hit / positives - recall_before) * hit / flagged;
    recall_before = hit / positives;
  }
  return area;
}

// Five levels of score among up to 40 entries: plenty of ties. Some entries weigh nothing.
std::vector<WeightedScore> random_scores() {
  std::vector<WeightedScore> scores;
  const auto levels = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5)).as("levels");
  scores.reserve(levels.size());
  for (const int level : levels) {
    scores.push_back({level / 4.0, static_cast<double>(*rc::gen::inRange(0, 4)),
                      static_cast<double>(*rc::gen::inRange(0, 4))});
  }
  return scores;
}

double total_positive(const std::vector<WeightedScore>& scores) {
  double sum = 0.0;
  for (const WeightedScore& entry : scores) sum += entry.positive;
  return sum;
}

double total_negative(const std::vector<WeightedScore>& scores) {
  double sum = 0.0;
  for (const WeightedScore& entry : scores) sum += entry.negative;
  return sum;
}

RC_GTEST_PROP(Scores, AurocCountsPairsWithTiesAsHalf, ()) {
  const auto scores = random_scores();
  const auto area = area_under_roc(scores);
  RC_ASSERT(area.has_value() == (total_positive(scores) > 0.0 && total_negative(scores) > 0.0));
  if (area) RC_ASSERT(std::abs(*area - brute_force_auroc(scores)) < 1e-12);
}

RC_GTEST_PROP(Scores, AveragePrecisionSumsOverDistinctThresholds, ()) {
  const auto scores = random_scores();
  const auto area = average_precision(scores);
  RC_ASSERT(area.has_value() == (total_positive(scores) > 0.0));
  if (area) RC_ASSERT(std::abs(*area - brute_force_average_precision(scores)) < 1e-12);
}

RC_GTEST_PROP(Scores, WeightsAreTheSameAsCopies, ()) {
  const auto scores = random_scores();
  std::vector<WeightedScore> copies;
  for (const WeightedScore& entry : scores) {
    for (int i = 0; i < entry.positive; ++i) copies.push_back({entry.score, 1.0, 0.0});
    for (int i = 0; i < entry.negative; ++i) copies.push_back({entry.score, 0.0, 1.0});
  }
  const auto close = [](std::optional<double> a, std::optional<double> b) {
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) < 1e-12);
  };
  RC_ASSERT(close(brier_score(scores), brier_score(copies)));
  RC_ASSERT(close(area_under_roc(scores), area_under_roc(copies)));
  RC_ASSERT(close(average_precision(scores), average_precision(copies)));
}

// scikit-learn's own documentation examples, y = 0 0 1 1, scores 0.1 0.4 0.35 0.8: AUROC 0.75, AP 0.83…; and
// y = 0 1 1 0, probabilities 0.1 0.9 0.8 0.3: Brier 0.0375.
TEST(Scores, MatchWorkedExamples) {
  const std::vector<WeightedScore> scores = {{0.1, 0, 1}, {0.4, 0, 1}, {0.35, 1, 0}, {0.8, 1, 0}};
  EXPECT_DOUBLE_EQ(*area_under_roc(scores), 0.75);
  EXPECT_DOUBLE_EQ(*average_precision(scores), 0.5 * 1.0 + 0.5 * 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(*brier_score({{0.1, 0, 1}, {0.9, 1, 0}, {0.8, 1, 0}, {0.3, 0, 1}}), 0.0375);
}

TEST(Scores, ConstantPredictionsCarryNoInformation) {
  const std::vector<WeightedScore> scores = {{0.5, 1, 0}, {0.5, 0, 3}};
  EXPECT_DOUBLE_EQ(*area_under_roc(scores), 0.5);
  EXPECT_DOUBLE_EQ(*average_precision(scores), 0.25);
  EXPECT_DOUBLE_EQ(*brier_score(scores), 0.25);
}

TEST(Scores, AreUndefinedWithoutBothKinds) {
  EXPECT_FALSE(area_under_roc({}).has_value());
  EXPECT_FALSE(area_under_roc({{0.3, 5, 0}}).has_value());
  EXPECT_FALSE(area_under_roc({{0.3, 0, 5}}).has_value());
  EXPECT_FALSE(average_precision({{0.3, 0, 5}}).has_value());
  EXPECT_DOUBLE_EQ(*average_precision({{0.3, 5, 0}}), 1.0);
  EXPECT_FALSE(brier_score({}).has_value());
  EXPECT_FALSE(brier_score({{0.3, 0, 0}}).has_value());
}

}  // namespace
}  // namespace interpole::evaluate
