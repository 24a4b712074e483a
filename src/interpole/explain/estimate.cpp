#include "interpole/explain/estimate.hpp"

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

}  // namespace interpole
