#include "interpole/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/quantile.hpp"

namespace interpole {

Estimate estimate_of(std::vector<double> draws, double level) {
  std::sort(draws.begin(), draws.end());
  return {base::quantile_of_sorted(draws, 0.5), base::quantile_of_sorted(draws, 0.5 - 0.5 * level),
          base::quantile_of_sorted(draws, 0.5 + 0.5 * level)};
}

std::string shown_percent(const Estimate& x) {
  const int digits = x.high - x.low < 0.02 ? 1 : 0;
  return fmt::format("{:.{}f}% [{:.{}f}, {:.{}f}]", 100.0 * x.middle, digits, 100.0 * x.low, digits,
                     100.0 * x.high, digits);
}

}  // namespace interpole
