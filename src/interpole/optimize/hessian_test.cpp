#include "interpole/optimize/hessian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace interpole::optimize {
namespace {

// x²y + e^(xy), not defined for x > 5.
class Curved : public Objective {
 public:
  int size() const override { return 2; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    if (x[0] > 5.0) return -INFINITY;
    const double e = std::exp(x[0] * x[1]);
    gradient[0] = 2.0 * x[0] * x[1] + x[1] * e;
    gradient[1] = x[0] * x[0] + x[0] * e;
    return x[0] * x[0] * x[1] + e;
  }
};

TEST(Hessian, MatchesSecondDerivativesByHand) {
  Curved curved;
  const double x = 0.7;
  const double y = -0.4;
  const double e = std::exp(x * y);
  const auto h = hessian(curved, std::vector{x, y});
  // Rounding of a gradient near 1 divided by twice the step, and a third of its square times the fourth
  // derivative: both below 1e-8.
  EXPECT_NEAR(h[0], 2.0 * y + y * y * e, 1e-8);
  EXPECT_NEAR(h[1], 2.0 * x + e + x * y * e, 1e-8);
  EXPECT_EQ(h[1], h[2]);
  EXPECT_NEAR(h[3], x * x * e, 1e-8);
}

TEST(Hessian, IsNotFiniteAtTheEdgeOfTheDomain) {
  Curved curved;
  const auto h = hessian(curved, std::vector{5.0, 0.1});
  EXPECT_FALSE(std::isfinite(h[0]));
}

}  // namespace
}  // namespace interpole::optimize
