// Do predicted probabilities come true as often as they say? Reliability bins, and the expected calibration
// error.
#pragma once

#include <span>
#include <vector>

#include "interpole/evaluate/scores/scores.hpp"

namespace interpole::evaluate {

inline constexpr int kCalibrationBins = 10;  // of equal width from 0 to 1, as in scikit-learn's "uniform"

struct CalibrationBin {
  double low = 0.0;   // predictions above this (the first: from 0)
  double high = 0.0;  // and up to this
  double decisions = 0.0;
  double predicted = 0.0;  // mean prediction; 0 in an empty bin
  double observed = 0.0;   // how often it came true; 0 in an empty bin
};

std::vector<CalibrationBin> calibration_curve(std::span<const WeightedScore> scores,
                                              int bins = kCalibrationBins);

// Mean over decisions of |observed − predicted| of their bin. nullopt: no decisions.
std::optional<double> expected_calibration_error(std::span<const CalibrationBin> curve);

}  // namespace interpole::evaluate
