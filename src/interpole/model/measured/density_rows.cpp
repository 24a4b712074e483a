#include "interpole/model/measured/density_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "interpole/model/measured/special_functions.hpp"

namespace interpole::model {
namespace {

constexpr std::size_t kMostSmall = 8;        // parameters in one state without memory of their own
constexpr double kSmallestDivisor = 1e-300;  // as in families.cpp
const double kLogRootTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

// [begin, end) of the values that have a short way: of normal and log-normal factors those between the limits
// of detection, of Student's t all.
std::pair<std::size_t, std::size_t> with_short_way(const MeasuredFactor& factor,
                                                   const std::vector<double>& values) {
  const bool normal = factor.family == Family::kNormal || factor.family == Family::kLogNormal;
  if (factor.family == Family::kStudent) return {0, values.size()};
  if (!normal) return {values.size(), values.size()};
  if (!std::isfinite(factor.lower) && !std::isfinite(factor.upper)) return {0, values.size()};
  const auto begin = std::ranges::upper_bound(values, factor.lower) - values.begin();
  const auto end = std::ranges::lower_bound(values, factor.upper) - values.begin();
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(std::max(begin, end))};
}

// Σ d ∂ log p over the values [begin, end) of one state, by the general density.
void pull_back_one_by_one(const MeasuredFactor& factor, const std::vector<double>& values, std::size_t begin,
                          std::size_t end, const double* parameters, const double* d, std::size_t stride,
                          double* gradient) {
  const auto count = static_cast<std::size_t>(parameter_count(factor));
  std::array<double, kMostSmall> small{};
  std::vector<double> large(count > kMostSmall ? count : 0);
  double* of_value = count > kMostSmall ? large.data() : small.data();
  for (std::size_t v = begin; v < end; ++v) {
    if (d[v * stride] == 0.0) continue;
    log_density(factor, values[v], parameters, of_value);
    for (std::size_t i = 0; i < count; ++i) gradient[i] += d[v * stride] * of_value[i];
  }
}

}  // namespace

std::vector<std::int32_t> FactorValues::finish(const MeasuredFactor& factor) {
  const std::size_t met = values.size();
  std::vector<std::int32_t> order(met), places(met);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::int32_t i) { return values[static_cast<std::size_t>(i)]; });
  const bool limited = std::isfinite(factor.lower) || std::isfinite(factor.upper);
  // First where each was met first, or its rank where there are limits; then what place that is.
  std::vector<double> distinct;
  std::int32_t first = 0;
  for (std::size_t k = 0; k < met; ++k) {
    const auto i = static_cast<std::size_t>(order[k]);
    const bool another = k == 0 || values[i] != values[static_cast<std::size_t>(order[k - 1])];
    if (another) first = limited ? static_cast<std::int32_t>(distinct.size()) : order[k];
    if (another && limited) distinct.push_back(values[i]);
    places[i] = first;
  }
  for (std::size_t i = 0; i < met && !limited; ++i) {
    const bool is_first = places[i] == static_cast<std::int32_t>(i);
    const auto earlier = static_cast<std::size_t>(places[i]);
    places[i] = is_first ? static_cast<std::int32_t>(distinct.size()) : places[earlier];
    if (is_first) distinct.push_back(values[i]);
  }
  values = std::move(distinct);
  values.shrink_to_fit();
  logs.clear();
  if (factor.family != Family::kLogNormal) return places;
  logs.resize(values.size());
  std::ranges::transform(values, logs.begin(), [](double x) { return std::log(x); });
  return places;
}

void log_densities(const MeasuredFactor& factor, const FactorValues& of, const double* parameters,
                   std::size_t columns, std::size_t S, double* densities) {
  const std::size_t count = of.values.size();
  const auto [begin, end] = with_short_way(factor, of.values);
  const bool logs = factor.family == Family::kLogNormal;
  const double* at = logs ? of.logs.data() : of.values.data();
  for (std::size_t s = 0; s < S; ++s) {
    const double* p = parameters + s * columns;
    double* to = densities + s;
    for (std::size_t v = 0; v < begin; ++v) to[v * S] = log_density(factor, of.values[v], p, nullptr);
    for (std::size_t v = end; v < count; ++v) to[v * S] = log_density(factor, of.values[v], p, nullptr);
    if (begin == end) continue;
    const double centre = logs ? std::log(p[0]) : p[0];
    const double inverse = 1.0 / p[1];
    if (factor.family == Family::kStudent) {
      const double df = p[2];
      const double power = 0.5 * (df + 1.0);
      const double constant =
          std::lgamma(power) - std::lgamma(0.5 * df) - 0.5 * std::log(df * std::numbers::pi) - std::log(p[1]);
      for (std::size_t v = begin; v < end; ++v) {
        const double t = (at[v] - centre) * inverse;
        to[v * S] = constant - power * std::log1p(t * t / df);
      }
      continue;
    }
    const double constant = -std::log(p[1]) - kLogRootTwoPi;
    for (std::size_t v = begin; v < end; ++v) {
      const double t = (at[v] - centre) * inverse;
      to[v * S] = constant - 0.5 * t * t;
    }
    if (!logs) continue;
    for (std::size_t v = begin; v < end; ++v) to[v * S] -= at[v];
  }
}

namespace {

// Sums over the values [begin, end) of d, weighed by the derivatives.
void pull_back_student(const double* at, std::size_t begin, std::size_t end, const double* p, const double* d,
                       std::size_t stride, double* gradient) {
  const double df = p[2];
  const double inverse = 1.0 / p[1];
  const double constant = digamma(0.5 * (df + 1.0)) - digamma(0.5 * df) - 1.0 / df;
  double by_place = 0.0;
  double by_scale = 0.0;
  double by_df = 0.0;
  for (std::size_t v = begin; v < end; ++v) {
    const double t = (at[v] - p[0]) * inverse;
    const double squares = t * t;
    const double pull = (df + 1.0) / (df + squares);
    by_place += d[v * stride] * pull * t;
    by_scale += d[v * stride] * (pull * squares - 1.0);
    by_df += d[v * stride] * (constant - std::log1p(squares / df) + pull * squares / df);
  }
  gradient[0] += by_place * inverse;
  gradient[1] += by_scale * inverse;
  gradient[2] += 0.5 * by_df;
}

void pull_back_normal(const double* at, double centre, std::size_t begin, std::size_t end, double inverse,
                      const double* d, std::size_t stride, double& by_centre, double& by_spread) {
  double by_t = 0.0;
  double by_squares = 0.0;
  for (std::size_t v = begin; v < end; ++v) {
    const double t = (at[v] - centre) * inverse;
    const double weighed = d[v * stride] * t;
    by_t += weighed;
    by_squares += weighed * t - d[v * stride];
  }
  by_centre += by_t * inverse;
  by_spread += by_squares * inverse;
}

}  // namespace

void pull_back_densities(const MeasuredFactor& factor, const FactorValues& of, const double* parameters,
                         std::size_t columns, std::size_t S, const double* d_densities, double* gradient) {
  const std::size_t count = of.values.size();
  const auto [begin, end] = with_short_way(factor, of.values);
  const bool logs = factor.family == Family::kLogNormal;
  for (std::size_t s = 0; s < S; ++s) {
    const double* p = parameters + s * columns;
    const double* d = d_densities + s;
    double* to = gradient + s * columns;
    if (factor.family == Family::kCategorical) {
      for (std::size_t v = 0; v < count; ++v) {
        const auto level = static_cast<std::size_t>(of.values[v]);
        to[level] += d[v * S] / std::max(p[level], kSmallestDivisor);
      }
      continue;
    }
    pull_back_one_by_one(factor, of.values, 0, begin, p, d, S, to);
    pull_back_one_by_one(factor, of.values, end, count, p, d, S, to);
    if (begin == end) continue;
    if (factor.family == Family::kStudent) {
      pull_back_student(of.values.data(), begin, end, p, d, S, to);
    } else if (logs) {
      double by_log = 0.0;
      pull_back_normal(of.logs.data(), std::log(p[0]), begin, end, 1.0 / p[1], d, S, by_log, to[1]);
      to[0] += by_log / p[0];
    } else {
      pull_back_normal(of.values.data(), p[0], begin, end, 1.0 / p[1], d, S, to[0], to[1]);
    }
  }
}

}  // namespace interpole::model
