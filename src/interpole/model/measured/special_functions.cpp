#include "interpole/model/measured/special_functions.hpp"

#include <cmath>
#include <numbers>

namespace interpole::model {
namespace {

constexpr double kFarTail = -10.0;  // below it, erfc loses nothing yet but is close to doing so

// Φ(x)/φ(x) for x far below 0, by Laplace's continued fraction: 1/(t + 1/(t + 2/(t + 3/(t + …)))), t = −x.
double mills_ratio(double x) {
  const double t = -x;
  double tail = t;
  for (int k = 60; k >= 1; --k) tail = t + k / tail;
  return 1.0 / tail;
}

double log_normal_density(double x) {
  return -0.5 * x * x - 0.5 * std::log(2.0 * std::numbers::pi);
}

}  // namespace

double log_normal_probability(double x) {
  if (x < kFarTail) return log_normal_density(x) + std::log(mills_ratio(x));
  if (x > 0.0) return std::log1p(-0.5 * std::erfc(x / std::numbers::sqrt2));
  return std::log(0.5 * std::erfc(-x / std::numbers::sqrt2));
}

double normal_hazard(double x) {
  if (x < kFarTail) return 1.0 / mills_ratio(x);
  return std::exp(log_normal_density(x) - log_normal_probability(x));
}

double digamma(double x) {
  double value = 0.0;
  while (x < 10.0) value -= 1.0 / x++;
  const double y = 1.0 / (x * x);
  // The asymptotic series, with Bernoulli numbers B_2k/(2k).
  const double series =
      y * (1.0 / 12.0 - y * (1.0 / 120.0 -
                             y * (1.0 / 252.0 -
                                  y * (1.0 / 240.0 - y * (1.0 / 132.0 - y * (691.0 / 32760.0 - y / 12.0))))));
  return value + std::log(x) - 0.5 / x - series;
}

}  // namespace interpole::model
