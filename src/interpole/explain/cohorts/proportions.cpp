#include "interpole/explain/cohorts/proportions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace interpole::explain {
namespace {

double two_sided(double z) {
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

// The z with two_sided(z) = 1 − level.
double quantile(double level) {
  double low = 0.0;
  double high = 40.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (two_sided(middle) > 1.0 - level ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

Estimate wilson(double count, double total, double level) {
  const double z = quantile(level);
  const double p = count / total;
  const double scale = 1.0 + z * z / total;
  const double centre = (p + z * z / (2.0 * total)) / scale;
  const double half = z / scale * std::sqrt(p * (1.0 - p) / total + z * z / (4.0 * total * total));
  return {p, p == 0.0 ? 0.0 : std::max(0.0, centre - half), p == 1.0 ? 1.0 : std::min(1.0, centre + half)};
}

double fisher_exact(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  const auto factorial = [](std::int64_t n) { return std::lgamma(static_cast<double>(n) + 1.0); };
  const double margins =
      factorial(a + b) + factorial(c + d) + factorial(a + c) + factorial(b + d) - factorial(a + b + c + d);
  const auto log_chance = [&](std::int64_t x) {
    const std::int64_t shift = x - a;
    return margins - factorial(x) - factorial(b - shift) - factorial(c - shift) - factorial(d + shift);
  };
  const double here = log_chance(a);
  double p = 0.0;
  for (std::int64_t x = std::max<std::int64_t>(0, a - d); x <= std::min(a + b, a + c); ++x) {
    const double chance = log_chance(x);
    if (chance <= here + 1e-7) p += std::exp(chance);
  }
  return std::min(1.0, p);
}

void ClusterSums::add(double flagged, double tests) {
  if (tests == 0.0) return;
  ++patients;
  x += flagged;
  n += tests;
  xx += flagged * flagged;
  xn += flagged * tests;
  nn += tests * tests;
}

ClusterSums& ClusterSums::operator+=(const ClusterSums& other) {
  patients += other.patients;
  x += other.x;
  n += other.n;
  xx += other.xx;
  xn += other.xn;
  nn += other.nn;
  return *this;
}

double ClusterSums::variance() const {
  if (patients < 2) return 0.0;
  const double p = share();
  const double squares = std::max(0.0, xx - 2.0 * p * xn + p * p * nn);
  const auto k = static_cast<double>(patients);
  return k / (k - 1.0) * squares / (n * n);
}

Estimate clustered_interval(const ClusterSums& sums, double level) {
  const double p = sums.share();
  const double plain = p * (1.0 - p) / sums.n;
  const double effect = plain > 0.0 ? std::max(1.0, sums.variance() / plain) : 1.0;
  return wilson(sums.x / effect, sums.n / effect, level);
}

std::optional<double> clustered_test(const ClusterSums& x, const ClusterSums& y) {
  if (x.n == 0.0 || y.n == 0.0) return std::nullopt;
  const double variance = x.variance() + y.variance();
  if (!(variance > 0.0)) return std::nullopt;
  return two_sided((x.share() - y.share()) / std::sqrt(variance));
}

}  // namespace interpole::explain
