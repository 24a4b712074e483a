#include "interpole/explain/cohorts/proportions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

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

// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto kept = [](double y) { return std::abs(y) < kTiny ? kTiny : y; };
  double c = 1.0;
  double d = 1.0 / kept(1.0 - (a + b) * x / (a + 1.0));
  double value = d;
  for (int m = 1; m < 300; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    double step = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 / kept(1.0 + term * d);
      c = kept(1.0 + term / c);
      step = c * d;
      value *= step;
    }
    if (std::abs(step - 1.0) < 1e-14) break;
  }
  return value;
}

// I_x(a, b), regularised.
double incomplete_beta(double a, double b, double x) {
  if (!(x > 0.0)) return 0.0;
  if (x >= 1.0) return 1.0;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                       : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
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

ShareDifference share_difference(double a, double n, double c, double m) {
  const double p = (a + 1.0) / (n + 2.0);
  const double q = (c + 1.0) / (m + 2.0);
  return {p - q, p * (1.0 - p) / (n + 2.0) + q * (1.0 - q) / (m + 2.0)};
}

double student_two_sided(double x, double degrees) {
  if (degrees > 1e7) return two_sided(x);
  return incomplete_beta(0.5 * degrees, 0.5, degrees / (degrees + x * x));
}

std::optional<double> pooled_test(const std::vector<ShareDifference>& by_draw) {
  const auto K = static_cast<double>(by_draw.size());
  if (by_draw.empty()) return std::nullopt;
  double mean = 0.0;
  double within = 0.0;
  for (const ShareDifference& x : by_draw) {
    mean += x.difference / K;
    within += x.variance / K;
  }
  double between = 0.0;
  for (const ShareDifference& x : by_draw) between += (x.difference - mean) * (x.difference - mean);
  between = K > 1.0 ? (1.0 + 1.0 / K) * between / (K - 1.0) : 0.0;
  const double variance = within + between;
  if (!(variance > 0.0)) return std::nullopt;
  const double t = mean / std::sqrt(variance);
  if (!(between > 0.0)) return two_sided(t);
  const double ratio = 1.0 + within / between;
  return student_two_sided(t, (K - 1.0) * ratio * ratio);
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return p_values[x] < p_values[y]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(order.size() - i) * p_values[order[i]]);
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace interpole::explain
