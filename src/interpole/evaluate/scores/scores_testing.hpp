// Scores in any order.
#pragma once

#include <algorithm>
#include <functional>

#include "interpole/evaluate/scores/scores.hpp"

namespace interpole::evaluate {

inline std::optional<double> area_under_roc(std::vector<WeightedScore> scores) {
  std::ranges::sort(scores, std::ranges::greater(), &WeightedScore::score);
  return area_under_roc_ranked(scores);
}

inline std::optional<double> average_precision(std::vector<WeightedScore> scores) {
  std::ranges::sort(scores, std::ranges::greater(), &WeightedScore::score);
  return average_precision_ranked(scores);
}

}  // namespace interpole::evaluate
