// A score over data sets: its mean with a 95% interval, and where it lay.
#pragma once

#include <optional>
#include <vector>

#include "interpole/evaluate/intervals.hpp"

namespace interpole::evaluate {

struct OverDatasets {
  int count = 0;                     // data sets that have the score
  std::optional<double> mean;        // with one at least
  std::optional<double> deviation;   // standard deviation between data sets; from here on with two at least
  std::optional<Interval> interval;  // mean ± t·deviation/√count, cut to what the score can be
  std::optional<double> median, lowest, highest;  // with one at least
};

// `least`, `most`: what the score can be at all.
OverDatasets over_datasets(std::vector<double> values, double least, double most);

}  // namespace interpole::evaluate
