#include "interpole/explain/checks/misfit.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/explain/checks/decision_families.hpp"
#include "interpole/explain/checks/unrecorded_sign.hpp"

namespace interpole::explain {
namespace {

// Of right models, the share whose odds are tempered although nothing is wrong.
constexpr double kTemperedByChance = 0.1;

// Standard normal deviate of a value, so many of its cube root's standard deviations above the mean.
double deviate(double statistic, double degrees, double noncentrality) {
  const double mean = degrees + noncentrality;
  const double spread = 2.0 / 9.0 * (degrees + 2.0 * noncentrality) / (mean * mean);
  return (std::cbrt(statistic / mean) - (1.0 - spread)) / std::sqrt(spread);
}

double upper_tail(double z) {
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

}  // namespace

double least_noncentrality(double statistic, int degrees, double doubt) {
  if (degrees < 1 || !(statistic > 0.0) || !std::isfinite(statistic)) return 0.0;
  const auto too_rare = [&](double noncentrality) {
    return upper_tail(deviate(statistic, degrees, noncentrality)) < doubt;
  };
  if (!too_rare(0.0)) return 0.0;
  double low = 0.0;
  double high = statistic;  // whose mean is above the statistic
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (too_rare(middle) ? low : high) = middle;
  }
  return low;
}

double proven_misfit(const std::vector<ModelCheck>& checks) {
  // The statistic of hidden information is a log evidence ratio. And records that were counted in a warehouse
  // have no order: what is made of misfit must be the same from counts as from rows.
  const auto counts = [](const ModelCheck& check) {
    return check.name != kHiddenInformation && check.name != kOrderOfRecords;
  };
  const auto sums = std::ranges::count_if(checks, counts);
  double most = 0.0;
  for (const ModelCheck& check : checks) {
    if (!counts(check)) continue;
    const double doubt = kTemperedByChance / static_cast<double>(sums);
    most = std::max(most, least_noncentrality(check.statistic, check.degrees, doubt));
  }
  return most;
}

}  // namespace interpole::explain
