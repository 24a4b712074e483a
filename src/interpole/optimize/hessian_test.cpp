#include "interpole/optimize/hessian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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

TEST(Hessian, FromOneSideIsWrongByTheStep) {
  Curved curved;
  const std::vector<double> x{0.7, -0.4};
  const auto exact = hessian(curved, x);
  const auto rough = one_sided_hessian(curved, x, 1e-4);
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(rough[i], exact[i], 2e-4);  // third derivatives: below 4
  EXPECT_NE(rough[0], exact[0]);
  EXPECT_TRUE(std::isnan(one_sided_hessian(curved, std::vector{6.0, 0.0})[0]));
}

// Curved of the first and third variable plus the cube of the second; counts evaluations.
class Separable : public Objective {
 public:
  int size() const override { return 3; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    ++evaluations;
    std::vector<double> part(2);
    const double value = curved_.evaluate(std::vector{x[0], x[2]}, part);
    gradient[0] = part[0];
    gradient[1] = 3.0 * x[1] * x[1];
    gradient[2] = part[1];
    return value + x[1] * x[1] * x[1];
  }
  int evaluations = 0;

 private:
  Curved curved_;
};

TEST(Hessian, OfBlocksIsThatOfTheWholeForFewerGradients) {
  Separable separable;
  const std::vector<double> x{0.7, 1.3, -0.4};
  const auto whole = hessian_by_differences(separable, x);
  EXPECT_EQ(separable.evaluations, 6);
  const auto blocks = hessian_by_blocks(separable, x, {{0, 2}, {1}});
  EXPECT_EQ(separable.evaluations, 6 + 4);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(blocks[i], whole[i], 1e-8);
  EXPECT_EQ(blocks[1], 0.0);
}

TEST(Hessian, OfBlocksThatAreNotApartIsNotThatOfTheWhole) {
  Separable separable;
  const std::vector<double> x{0.7, 1.3, -0.4};
  EXPECT_GT(std::abs(hessian_by_blocks(separable, x, {{0}, {1, 2}})[2] - hessian(separable, x)[2]), 1.0);
}

TEST(Hessian, IsNotFiniteAtTheEdgeOfTheDomain) {
  Curved curved;
  const auto h = hessian(curved, std::vector{5.0, 0.1});
  EXPECT_FALSE(std::isfinite(h[0]));
}

}  // namespace
}  // namespace interpole::optimize
