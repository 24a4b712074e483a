#include "interpole/optimize/second_order/newton.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "interpole/error.hpp"
#include "interpole/optimize/objectives_testing.hpp"
#include "interpole/optimize/second_order/search.hpp"
#include "interpole/optimize/second_order/trust_region.hpp"

namespace interpole::optimize {
namespace {

using Stop = OptimizeSummary::Stop;

// −½ Σ k (x − 1)² with curvatures over ten orders of magnitude.
class Uneven : public Objective {
 public:
  int size() const override { return 11; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    double value = 0.0;
    for (int i = 0; i < size(); ++i) {
      const double k = std::pow(10.0, 5 - i);
      g[i] = -k * (x[i] - 1.0);
      value -= 0.5 * k * (x[i] - 1.0) * (x[i] - 1.0);
    }
    return value;
  }
};

// −e^(−x) − y²: climbs for ever as x grows.
class EndlessRidge : public Objective {
 public:
  int size() const override { return 2; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    g[0] = std::exp(-x[0]);
    g[1] = -2.0 * x[1];
    return -std::exp(-x[0]) - x[1] * x[1];
  }
};

// ½x² − ¼x⁴ − y²: a saddle at 0 between maxima of ¼ at ±1.
class Saddle : public Objective {
 public:
  int size() const override { return 2; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    g[0] = x[0] - x[0] * x[0] * x[0];
    g[1] = -2.0 * x[1];
    return 0.5 * x[0] * x[0] - 0.25 * std::pow(x[0], 4) - x[1] * x[1];
  }
};

double norm_at(Objective& objective, const std::vector<double>& x) {
  std::vector<double> g(x.size());
  objective.evaluate(x, g);
  double sum = 0.0;
  for (const double v : g) sum += v * v;
  return std::sqrt(sum);
}

TEST(TrustRegion, StepIsTheBestOfAllWithinTheRadius) {
  for (const double lowest : {-2.0, -1e-3, 0.0, 0.5}) {
    for (const double pull : {0.0, 1e-6, 0.7}) {
      for (const double radius : {0.1, 1.0, 10.0}) {
        const Eigen::Vector2d g(pull, 1.3);
        const Eigen::Vector2d curvature(lowest, 3.0);
        const ModelStep step = best_step_within(g, curvature, radius);
        EXPECT_LE(step.step.norm(), radius * (1.0 + 1e-5));
        double best = 0.0;  // of a fine polar grid
        for (int i = 0; i <= 200; ++i) {
          for (int j = 0; j < 720; ++j) {
            const double r = radius * i / 200.0;
            const Eigen::Vector2d s(r * std::cos(j * M_PI / 360.0), r * std::sin(j * M_PI / 360.0));
            best = std::max(best, g.dot(s) - 0.5 * s.dot(curvature.cwiseProduct(s)));
          }
        }
        EXPECT_GE(step.gain, best - 1e-5 * best) << lowest << " " << pull << " " << radius;
      }
    }
  }
}

TEST(Newton, TakesFewStepsWhereCurvaturesDifferByTenOrdersOfMagnitude) {
  Uneven problem;
  std::vector<double> x(11, 0.0);
  const auto summary = maximise_newton(problem, x, {.gradient_tolerance = 1e-9});
  EXPECT_TRUE(summary.converged);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(x[i], 1.0, 1e-3) << i;
  EXPECT_LT(summary.evaluations, 200);
}

TEST(Newton, ClimbsABentRidge) {
  for (const double height : {1e2, 1e4, 1e6}) {
    Rosenbrock problem(10, height);
    std::vector<double> x(10, -1.2);
    const auto summary = maximise_newton(problem, x, {.gain_tolerance = 0.0});
    EXPECT_EQ(summary.stop, Stop::kGradient) << height;
    for (const double v : x) EXPECT_NEAR(v, 1.0, 1e-3) << height;
  }
}

TEST(Newton, LeavesASaddle) {
  Saddle problem;
  std::vector<double> x = {1e-3, 0.3};
  const auto summary = maximise_newton(problem, x, {});
  EXPECT_TRUE(summary.converged);
  EXPECT_NEAR(summary.value, 0.25, 1e-8);
}

TEST(Newton, EndsOnARidgeThatClimbsForEverAndStatesItsGradient) {
  EndlessRidge problem;
  std::vector<double> x = {0.0, 1.0};
  const auto summary = maximise_newton(problem, x, {.gradient_tolerance = 1e-15});
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.stop, Stop::kValue);
  EXPECT_GT(summary.value, -1e-8);
  EXPECT_GT(summary.gradient_norm, 0.0);
  EXPECT_DOUBLE_EQ(summary.gradient_norm, norm_at(problem, x));
  EXPECT_LT(summary.iterations, 60);
}

TEST(Newton, BacksAwayFromWhereTheObjectiveIsNotDefined) {
  for (const double start : {30.0, 1.0 + 1e-3, 1e-3}) {
    HalfLine problem;
    std::vector<double> x = {start};
    const auto summary = maximise_newton(problem, x, {});
    EXPECT_TRUE(summary.converged) << start;
    EXPECT_NEAR(x[0], 1.0, 1e-4) << start;
  }
}

TEST(Newton, StartingWhereTheObjectiveIsNotDefinedIsNotConverged) {
  HalfLine problem;
  std::vector<double> x = {-1.0};
  const auto summary = maximise_newton(problem, x, {});
  EXPECT_FALSE(summary.converged);
  EXPECT_EQ(x[0], -1.0);
}

TEST(Newton, WithoutTheWholeHessianFindsTheSameTop) {
  Rosenbrock problem(40);
  std::vector<double> x(40, -1.2);
  const auto summary = maximise_newton(problem, x, {.gradient_tolerance = 1e-7, .most_dense = 10});
  EXPECT_TRUE(summary.converged);
  for (const double v : x) EXPECT_NEAR(v, 1.0, 1e-4);
}

TEST(Newton, StopsWhenAskedAlsoWhileItMeasures) {
  for (const int after : {1, 2, 5, 30, 40}) {
    Rosenbrock problem(10);
    std::vector<double> x(10, -1.2);
    const double start = maximise_newton(problem, x, {.most_iterations = 1}).value;
    int asked = 0;
    const auto summary = maximise_newton(problem, x, {}, [&] { return ++asked > after; });
    EXPECT_EQ(summary.stop, Stop::kInterrupted) << after;
    EXPECT_FALSE(summary.converged);
    EXPECT_GE(summary.value, start);
    EXPECT_LE(summary.evaluations, after + 1);  // what was found is kept
    EXPECT_DOUBLE_EQ(summary.gradient_norm, norm_at(problem, x));
  }
}

TEST(Newton, ReportsAnIterationLimitAsNotConverged) {
  Rosenbrock problem(10);
  std::vector<double> x(10, -1.2);
  const auto summary = maximise_newton(problem, x, {.most_iterations = 2});
  EXPECT_EQ(summary.stop, Stop::kIterations);
  EXPECT_FALSE(summary.converged);
  EXPECT_DOUBLE_EQ(summary.gradient_norm, norm_at(problem, x));
}

TEST(Newton, RefusesOptionsThatCannotWork) {
  EXPECT_THROW(NewtonOptions{.most_iterations = 0}.validate(), Error);
  EXPECT_THROW(NewtonOptions{.gradient_tolerance = 0.0}.validate(), Error);
  EXPECT_THROW(NewtonOptions{.gain_tolerance = -1.0}.validate(), Error);
  EXPECT_THROW(NewtonOptions{.first_radius = INFINITY}.validate(), Error);
}

// Bent ridges of which each is a hundredth as steep as the one before, on top of a large constant, as the
// weak directions of a log-posterior are.
class WeakRidges : public Objective {
 public:
  int size() const override { return 10; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    double value = -1000.0;
    for (int i = 0; i < size(); i += 2) {
      const double weight = std::pow(10.0, 4 - i);
      const double a = 1.0 - x[i];
      const double b = x[i + 1] - x[i] * x[i];
      value -= weight * (a * a + 100.0 * b * b);
      g[i] = weight * (2.0 * a + 400.0 * b * x[i]);
      g[i + 1] = -200.0 * weight * b;
    }
    return value;
  }
  static std::vector<double> start() { return {-1.2, 1.0, -1.1, 0.9, -1.0, 0.8, -0.9, 0.7, -0.8, 0.6}; }
};

TEST(Search, FinishesWhereLbfgsAloneGivesUp) {
  WeakRidges problem;
  auto alone = WeakRidges::start();
  const auto gave_up = maximise_lbfgs(problem, alone, {});
  EXPECT_LT(gave_up.value, -1000.0 - 1e-3);
  auto x = WeakRidges::start();
  const auto summary = maximise(problem, x, {});
  EXPECT_TRUE(summary.converged);
  EXPECT_NEAR(summary.value, -1000.0, 1e-4);
  EXPECT_LT(summary.evaluations, gave_up.evaluations);
}

TEST(Search, KeepsToOneBudgetOfIterations) {
  for (const int most : {1, 3, 30, 100}) {
    WeakRidges problem;
    auto x = WeakRidges::start();
    const auto summary = maximise(problem, x, {.most_iterations = most});
    EXPECT_EQ(summary.stop, Stop::kIterations) << most;
    EXPECT_FALSE(summary.converged);
    EXPECT_LE(summary.iterations, most) << most;
    EXPECT_DOUBLE_EQ(summary.gradient_norm, norm_at(problem, x));
  }
}

TEST(Search, WithNothingToLearnEvaluatesOnce) {
  Constant problem;
  const auto summary = maximise(problem, {}, {});
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.value, 7.0);
  EXPECT_EQ(summary.evaluations, 1);
}

}  // namespace
}  // namespace interpole::optimize
