// Quantiles of draws and of values.
#pragma once

#include <span>

namespace interpole::base {

// Linear between order statistics. `sorted` has at least one value, `share` is from 0 to 1.
double quantile_of_sorted(std::span<const double> sorted, double share);

}  // namespace interpole::base
