// No number of a vector is infinite or NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace interpole::optimize {

inline bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace interpole::optimize
