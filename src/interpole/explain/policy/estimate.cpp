#include "interpole/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace interpole {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

Estimate estimate_of(std::vector<double> draws, double level) {
  std::sort(draws.begin(), draws.end());
  return {quantile(draws, 0.5), quantile(draws, 0.5 - 0.5 * level), quantile(draws, 0.5 + 0.5 * level)};
}

std::string shown_percent(const Estimate& x) {
  const int digits = x.high - x.low < 0.02 ? 1 : 0;
  return fmt::format("{:.{}f}% [{:.{}f}, {:.{}f}]", 100.0 * x.middle, digits, 100.0 * x.low, digits,
                     100.0 * x.high, digits);
}

}  // namespace interpole
