// For tests: densities of measured factors for numbers of any kind, written from their definitions and
// sharing no code with families.cpp. With complex parameters they are analytic, so that Im f(x + ih)/h is the
// derivative by x to the last digits (complex step). The standard library has neither log Γ nor Φ of complex
// numbers: here they are sums and continued fractions that hold for both.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>

#include "interpole/model/coordinates.hpp"
#include "interpole/structure.hpp"

namespace interpole::model {

// log Γ, real part above 0: the recurrence up to where Stirling's series is exact.
template <class Scalar>
Scalar flat_log_gamma(Scalar x) {
  Scalar passed = 0.0;
  for (; real_part(x) < 15.0; x += 1.0) passed += std::log(x);
  const Scalar y = 1.0 / (x * x);
  const Scalar series =
      1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y * (1.0 / 1188.0))));
  return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2.0 * std::numbers::pi) + series / x - passed;
}

template <class Scalar>
Scalar flat_normal(const Scalar& x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
}

// log Φ: φ(x) Σ x^(2n+1)/(2n+1)!! + ½ about 0, Laplace's continued fraction beyond.
template <class Scalar>
Scalar flat_log_normal_probability(const Scalar& x) {
  constexpr double kFar = 3.0;
  if (std::abs(real_part(x)) < kFar) {
    Scalar term = x;
    Scalar sum = x;
    for (int n = 1; n < 80; ++n) sum += term *= x * x / (2.0 * n + 1.0);
    return std::log(0.5 + flat_normal(x) * sum);
  }
  const Scalar t = real_part(x) < 0.0 ? -x : x;
  Scalar fraction = t;
  for (int k = 600; k >= 1; --k) fraction = t + static_cast<double>(k) / fraction;
  if (real_part(x) > 0.0) return std::log(1.0 - flat_normal(t) / fraction);
  return -0.5 * t * t - 0.5 * std::log(2.0 * std::numbers::pi) - std::log(fraction);
}

// log p(value) in one state.
template <class Scalar>
Scalar flat_log_density(const MeasuredFactor& factor, double value, const Scalar* p) {
  const auto logistic = [](const Scalar& x) { return 1.0 / (1.0 + std::exp(-x)); };
  const auto normal = [&](double x, const Scalar& mean, const Scalar& sd) {
    const Scalar t = (x - mean) / sd;
    if (value <= factor.lower) return flat_log_normal_probability(t);
    if (value >= factor.upper) return flat_log_normal_probability(-t);
    return -0.5 * t * t - std::log(sd) - 0.5 * std::log(2.0 * std::numbers::pi);
  };
  switch (factor.family) {
    case Family::kCategorical:
      return std::log(p[static_cast<int>(value)]);
    case Family::kOrdinal: {
      const int levels = static_cast<int>(factor.levels.size());
      // P(z ≤ level), or with sign −1 P(z > level): where both are near 1, their rest says more.
      const auto up_to = [&](int level, double sign) {
        if (level < 0) return Scalar(sign > 0.0 ? 0.0 : 1.0);
        if (level + 1 >= levels) return Scalar(sign > 0.0 ? 1.0 : 0.0);
        Scalar cut = p[1];
        for (int k = 1; k <= level; ++k) cut += p[1 + k];
        return logistic(sign * (cut - p[0]));
      };
      const int level = static_cast<int>(value);
      if (real_part(up_to(level - 1, 1.0)) < 0.5) return std::log(up_to(level, 1.0) - up_to(level - 1, 1.0));
      return std::log(up_to(level - 1, -1.0) - up_to(level, -1.0));
    }
    case Family::kNormal:
      return normal(value, p[0], p[1]);
    case Family::kLogNormal: {
      const bool censored = value <= factor.lower || value >= factor.upper;
      return normal(std::log(value), std::log(p[0]), p[1]) - (censored ? 0.0 : std::log(value));
    }
    case Family::kStudent: {
      const Scalar& df = p[2];
      const Scalar t = (value - p[0]) / p[1];
      return flat_log_gamma(0.5 * (df + 1.0)) - flat_log_gamma(0.5 * df) -
             0.5 * std::log(df * std::numbers::pi) - std::log(p[1]) -
             0.5 * (df + 1.0) * std::log(1.0 + t * t / df);
    }
    case Family::kPoisson:
      return value * std::log(p[0]) - p[0] - flat_log_gamma(value + 1.0);
    case Family::kNegativeBinomial: {
      const Scalar stops = p[1] / (p[0] + p[1]);
      return flat_log_gamma(value + p[1]) - flat_log_gamma(p[1]) - flat_log_gamma(value + 1.0) +
             p[1] * std::log(stops) + value * std::log(p[0] / (p[0] + p[1]));
    }
  }
  return 0.0;
}

}  // namespace interpole::model
