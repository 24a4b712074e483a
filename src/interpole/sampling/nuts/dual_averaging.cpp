#include "interpole/sampling/nuts/dual_averaging.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::sampling {
namespace {

constexpr double kPull = 0.05;        // γ
constexpr double kDelay = 10.0;       // t₀
constexpr double kForgetting = 0.75;  // κ
constexpr double kMostLog = 600.0;    // keeps a hopeless search positive and finite

double bounded_exp(double x) {
  return std::exp(std::clamp(x, -kMostLog, kMostLog));
}

}  // namespace

void DualAveraging::restart(double step_size) {
  centre = std::log(10.0 * step_size);
  count = 0;
  mean_shortfall = 0.0;
  averaged_log_step = 0.0;
}

double DualAveraging::learn(double accept_stat, double target) {
  ++count;
  const auto k = static_cast<double>(count);
  const double share = 1.0 / (k + kDelay);
  mean_shortfall = (1.0 - share) * mean_shortfall + share * (target - std::min(1.0, accept_stat));
  const double log_step = centre - mean_shortfall * std::sqrt(k) / kPull;
  const double weight = std::pow(k, -kForgetting);
  averaged_log_step = (1.0 - weight) * averaged_log_step + weight * log_step;
  return bounded_exp(log_step);
}

double DualAveraging::settled_step_size() const {
  return bounded_exp(averaged_log_step);
}

}  // namespace interpole::sampling
