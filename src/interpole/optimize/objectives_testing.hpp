// A shelf of known problems for optimisers.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "interpole/optimize/objective.hpp"

namespace interpole::optimize {

// −Rosenbrock in pairs: a ridge bent along a parabola, `height` times as steep across as along; maximum 0 at
// (1, …, 1). `wrong` is added to a part of the gradient.
class Rosenbrock : public Objective {
 public:
  explicit Rosenbrock(int size, double height = 100.0, double wrong = 0.0)
      : size_(size), height_(height), wrong_(wrong) {}
  int size() const override { return size_; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    double value = 0.0;
    for (int i = 0; i < size_; i += 2) {
      const double a = 1.0 - x[i];
      const double b = x[i + 1] - x[i] * x[i];
      value -= a * a + height_ * b * b;
      g[i] = 2.0 * a + 4.0 * height_ * b * x[i] + wrong_;
      g[i + 1] = -2.0 * height_ * b;
    }
    return value;
  }

 private:
  int size_;
  double height_;
  double wrong_;
};

// log x − x: not defined for x ≤ 0, maximum −1 at 1.
class HalfLine : public Objective {
 public:
  int size() const override { return 1; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    if (x[0] <= 0.0) {
      g[0] = std::numeric_limits<double>::quiet_NaN();
      return -INFINITY;
    }
    g[0] = 1.0 / x[0] - 1.0;
    return std::log(x[0]) - x[0];
  }
};

// Seven, with nothing to choose.
class Constant : public Objective {
 public:
  int size() const override { return 0; }
  double evaluate(std::span<const double>, std::span<double>) override { return 7.0; }
};

}  // namespace interpole::optimize
