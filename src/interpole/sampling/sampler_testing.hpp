// A shelf of targets with known moments, for the sampler's tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/sampling/diagnostics.hpp"
#include "interpole/sampling/nuts/nuts.hpp"

namespace interpole::sampling {

// Any log density written as a function of (x, gradient).
class FunctionTarget : public optimize::Objective {
 public:
  using Function = std::function<double(std::span<const double>, std::span<double>)>;
  FunctionTarget(int size, Function function) : size_(size), function_(std::move(function)) {}
  int size() const override { return size_; }
  double evaluate(std::span<const double> x, std::span<double> g) override { return function_(x, g); }

 private:
  int size_;
  Function function_;
};

inline FunctionTarget standard_normal(int size) {
  return {size, [](std::span<const double> x, std::span<double> g) {
            double value = 0.0;
            for (std::size_t i = 0; i < x.size(); ++i) {
              value -= 0.5 * x[i] * x[i];
              g[i] = -x[i];
            }
            return value;
          }};
}

// Normal(0, R·diag(variances)·Rᵀ) with R a product of rotations by 0.7 of neighbouring coordinates, so that
// all are correlated. `covariance()` is exact.
class RotatedNormal : public optimize::Objective {
 public:
  explicit RotatedNormal(std::vector<double> variances) : variances_(std::move(variances)) {}
  int size() const override { return static_cast<int>(variances_.size()); }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    double value = 0.0;
    std::vector<double> y(x.begin(), x.end());
    turn_back(y);
    for (int i = 0; i < size(); ++i) {
      value -= 0.5 * y[i] * y[i] / variances_[i];
      g[i] = -y[i] / variances_[i];
    }
    turn(g);
    return value;
  }
  std::vector<double> covariance() const {
    const std::size_t n = variances_.size();
    std::vector<double> columns(n * n, 0.0), result(n * n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      columns[k * n + k] = 1.0;
      turn({&columns[k * n], n});
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          result[i * n + j] += columns[k * n + i] * columns[k * n + j] * variances_[k];
    return result;
  }

 private:
  static void rotate(double& a, double& b, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    std::tie(a, b) = std::pair(c * a - s * b, s * a + c * b);
  }
  static void turn(std::span<double> x) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) rotate(x[i], x[i + 1], 0.7);
  }
  static void turn_back(std::span<double> x) {
    for (std::size_t i = x.size() - 1; i-- > 0;) rotate(x[i], x[i + 1], -0.7);
  }
  std::vector<double> variances_;
};

// log x ~ y with x ~ Gamma(shape, 1): the density of y has the Jacobian's + y.
inline FunctionTarget log_gamma_variate(double shape) {
  return {1, [shape](std::span<const double> y, std::span<double> g) {
            g[0] = shape - std::exp(y[0]);
            return shape * y[0] - std::exp(y[0]);
          }};
}

// Neal's funnel: v ~ Normal(0, 9), nine coordinates ~ Normal(0, eᵛ).
inline FunctionTarget neals_funnel() {
  return {10, [](std::span<const double> x, std::span<double> g) {
            const double v = x[0];
            double squares = 0.0;
            for (int i = 1; i < 10; ++i) {
              squares += x[i] * x[i];
              g[i] = -x[i] * std::exp(-v);
            }
            g[0] = -v / 9.0 + 0.5 * squares * std::exp(-v) - 4.5;
            return -v * v / 18.0 - 0.5 * squares * std::exp(-v) - 4.5 * v;
          }};
}

// A banana: x₁ ~ Normal(0, 1), x₂ ~ Normal(x₁², 1). E x₂ = 1, var x₂ = 3.
inline FunctionTarget banana() {
  return {2, [](std::span<const double> x, std::span<double> g) {
            const double off = x[1] - x[0] * x[0];
            g[0] = -x[0] + 2.0 * off * x[0];
            g[1] = -off;
            return -0.5 * x[0] * x[0] - 0.5 * off * off;
          }};
}

// Draws after warm-up of several chains, each begun at its own point of Normal(0, 1).
struct SampledChains {
  std::vector<std::vector<NutsDraw>> draws;  // [chain][draw]

  template <typename Function>
  DrawsDiagnostics diagnose(Function&& quantity) const {
    std::vector<std::vector<double>> values;
    for (const auto& chain : draws) {
      auto& of_chain = values.emplace_back();
      for (const NutsDraw& draw : chain) of_chain.push_back(quantity(draw.position));
    }
    return diagnose_draws(std::vector<std::span<const double>>(values.begin(), values.end()));
  }
  template <typename Function>
  auto count(Function&& predicate) const {
    std::ptrdiff_t n = 0;
    for (const auto& chain : draws) n += std::count_if(chain.begin(), chain.end(), predicate);
    return n;
  }
};

inline SampledChains sample_chains(optimize::Objective& target, const NutsOptions& options, int chains,
                                   int draws, std::uint64_t seed = 1) {
  SampledChains result;
  for (int c = 0; c < chains; ++c) {
    base::RandomStream random(seed, c);
    std::vector<double> start(target.size());
    for (double& x : start) x = random.normal();
    NutsChain chain(target, start, options, seed, c);
    while (chain.warming_up()) chain.next();
    auto& kept = result.draws.emplace_back();
    for (int i = 0; i < draws; ++i) kept.push_back(chain.next());
  }
  return result;
}

}  // namespace interpole::sampling
