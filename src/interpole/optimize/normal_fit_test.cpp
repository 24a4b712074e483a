#include "interpole/optimize/normal_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/error.hpp"

namespace interpole::optimize {
namespace {

// Normal with standard deviations 40 and 0.05, correlation 0.8, around (30, −2).
class NarrowRidge : public Objective {
 public:
  int size() const override { return 2; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    const double u = (x[0] - 30.0) / 40.0;
    const double v = (x[1] + 2.0) / 0.05;
    const double scale = 1.0 / (1.0 - 0.8 * 0.8);
    gradient[0] = -scale * (u - 0.8 * v) / 40.0;
    gradient[1] = -scale * (v - 0.8 * u) / 0.05;
    return -0.5 * scale * (u * u - 2.0 * 0.8 * u * v + v * v);
  }
};

TEST(NormalFit, FindsTheCovarianceOfANormal) {
  NarrowRidge ridge;
  const NormalFit fit = fit_normal(ridge, {31.0, -1.999}, 100.0);  // the peak need not be hit exactly
  EXPECT_EQ(fit.mode, (std::vector<double>{31.0, -1.999}));
  EXPECT_LT(fit.log_density, 0.0);
  EXPECT_NEAR(fit.covariance[0] / 1600.0, 1.0, 1e-6);
  EXPECT_NEAR(fit.covariance[1] / 2.0, 0.8, 1e-6);
  EXPECT_NEAR(fit.covariance[3] / 0.0025, 1.0, 1e-6);
}

TEST(NormalFit, HoldsDirectionsWithoutInformationToTheMost) {
  class FirstOnly : public Objective {
    int size() const override { return 2; }
    double evaluate(std::span<const double> x, std::span<double> gradient) override {
      gradient[0] = -x[0];
      gradient[1] = 0.0;
      return -0.5 * x[0] * x[0];
    }
  } first_only;
  const NormalFit fit = fit_normal(first_only, {0.3, 0.4}, 7.0);
  EXPECT_NEAR(fit.covariance[0], 1.0, 1e-6);
  EXPECT_NEAR(fit.covariance[3], 49.0, 1e-6);
}

// −|x|/5 next to its kink has no curvature, or all of it; seen from one standard deviation away it is as wide
// as the normal density whose slope there is the same: x / sd² = 1/5 at x = sd.
TEST(NormalFit, LooksPastAKinkAtTheTop) {
  class Roof : public Objective {
    int size() const override { return 1; }
    double evaluate(std::span<const double> x, std::span<double> gradient) override {
      gradient[0] = x[0] > 0.0 ? -0.2 : 0.2;
      return -0.2 * std::abs(x[0]);
    }
  } roof;
  const NormalFit fit = fit_normal(roof, {0.0}, 100.0);
  EXPECT_NEAR(std::sqrt(fit.covariance[0]), 5.0, 1.5);  // passes end within a factor of 1.5 of the variance
}

TEST(NormalFit, NarrowsUntilTheDensityIsFiniteOneDeviationAway) {
  class Edge : public Objective {
    int size() const override { return 1; }
    double evaluate(std::span<const double> x, std::span<double> gradient) override {
      gradient[0] = 1.0 / (1.0 + x[0]) - 2.0 / (1.0 - x[0]);
      return std::abs(x[0]) < 1.0 ? std::log1p(x[0]) + 2.0 * std::log1p(-x[0]) : -INFINITY;
    }
  } edge;  // highest at −1/3
  const NormalFit fit = fit_normal(edge, {-1.0 / 3.0}, 10.0);
  EXPECT_GT(fit.covariance[0], 0.01);
  EXPECT_LT(fit.covariance[0], 2.0 / 3.0 * 2.0 / 3.0);
}

TEST(WhitenedObjective, MakesANormalDensityStandard) {
  NarrowRidge ridge;
  const NormalFit exact{{30.0, -2.0}, {1600.0, 1.6, 1.6, 0.0025}, 0.0};
  WhitenedObjective white(ridge, exact);
  const double z[] = {0.7, -1.1};
  double gradient[2];
  EXPECT_NEAR(white.evaluate(z, gradient), -0.5 * (z[0] * z[0] + z[1] * z[1]), 1e-12);
  EXPECT_NEAR(gradient[0], -z[0], 1e-10);
  EXPECT_NEAR(gradient[1], -z[1], 1e-10);
  EXPECT_NEAR(white.place(z)[0], 30.0 + 40.0 * 0.7, 1e-12);
  const std::vector<double> back = white.whitened(white.place(z));
  EXPECT_NEAR(back[0], z[0], 1e-12);
  EXPECT_NEAR(back[1], z[1], 1e-12);
}

TEST(WhitenedObjective, RefusesWhatIsNoCovariance) {
  NarrowRidge ridge;
  EXPECT_THROW(WhitenedObjective(ridge, {{0.0, 0.0}, {1.0, 2.0, 2.0, 1.0}, 0.0}), Error);
}

}  // namespace
}  // namespace interpole::optimize
