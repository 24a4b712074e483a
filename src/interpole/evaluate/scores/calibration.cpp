#include "interpole/evaluate/scores/calibration.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::evaluate {

std::vector<CalibrationBin> calibration_curve(std::span<const WeightedScore> scores, int bins) {
  std::vector<CalibrationBin> curve(bins);
  for (int i = 0; i < bins; ++i) {
    curve[i].low = static_cast<double>(i) / bins;
    curve[i].high = static_cast<double>(i + 1) / bins;
  }
  for (const WeightedScore& entry : scores) {
    auto i = std::clamp(static_cast<int>(std::ceil(entry.score * bins)) - 1, 0, bins - 1);
    // The edges as they are stated, not as the product rounds.
    if (i > 0 && entry.score <= curve[i].low) --i;
    if (i + 1 < bins && entry.score > curve[i].high) ++i;
    const double decisions = entry.positive + entry.negative;
    curve[i].decisions += decisions;
    curve[i].predicted += decisions * entry.score;
    curve[i].observed += entry.positive;
  }
  for (CalibrationBin& bin : curve) {
    if (bin.decisions <= 0.0) continue;
    bin.predicted /= bin.decisions;
    bin.observed /= bin.decisions;
  }
  return curve;
}

std::optional<double> expected_calibration_error(std::span<const CalibrationBin> curve) {
  double sum = 0.0;
  double decisions = 0.0;
  for (const CalibrationBin& bin : curve) {
    sum += bin.decisions * std::abs(bin.observed - bin.predicted);
    decisions += bin.decisions;
  }
  if (decisions <= 0.0) return std::nullopt;
  return sum / decisions;
}

}  // namespace interpole::evaluate
