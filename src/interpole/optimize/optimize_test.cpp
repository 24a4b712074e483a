// A shelf of known problems for every optimiser, and the gradient checker checked.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "interpole/error.hpp"
#include "interpole/optimize/adam.hpp"
#include "interpole/optimize/gradient_check.hpp"
#include "interpole/optimize/lbfgs.hpp"
#include "interpole/optimize/objectives_testing.hpp"

namespace interpole::optimize {
namespace {

TEST(Lbfgs, ClimbsRosenbrocksRidge) {
  Rosenbrock problem(20);
  std::vector<double> x(20, -1.2);
  LbfgsOptions options;
  options.gradient_tolerance = 1e-9;
  const auto summary = maximise_lbfgs(problem, x, options);
  EXPECT_TRUE(summary.converged);
  EXPECT_NEAR(summary.value, 0.0, 1e-12);
  for (const double v : x) EXPECT_NEAR(v, 1.0, 1e-6);
  EXPECT_LT(summary.evaluations, 200);
}

TEST(Lbfgs, BacksAwayFromWhereTheObjectiveIsNotDefined) {
  HalfLine problem;
  std::vector<double> x = {30.0};
  const auto summary = maximise_lbfgs(problem, x, {});
  EXPECT_TRUE(summary.converged);
  EXPECT_NEAR(x[0], 1.0, 1e-4);
}

// A narrow high peak beside a broad low one: a step across the peak can satisfy every condition of a line
// search.
class TwoPeaks : public Objective {
 public:
  int size() const override { return 1; }
  double evaluate(std::span<const double> x, std::span<double> g) override {
    const double high = 5.0 * std::exp(-50.0 * (x[0] - 0.9) * (x[0] - 0.9));
    const double low = std::exp(-0.2 * (x[0] - 2.0) * (x[0] - 2.0));
    g[0] = -100.0 * (x[0] - 0.9) * high - 0.4 * (x[0] - 2.0) * low;
    return high + low;
  }
};

TEST(Lbfgs, NeverCallsAPointConvergedThatItOnlyPassedBy) {
  for (double start = -3.0; start < 6.0; start += 0.05) {
    TwoPeaks problem;
    std::vector<double> x = {start};
    std::vector<double> g(1);
    const auto summary = maximise_lbfgs(problem, x, {});
    problem.evaluate(x, g);
    if (summary.converged) {
      EXPECT_LT(std::abs(g[0]), 1e-4) << "from " << start;
    }
  }
}

TEST(Lbfgs, StopsWhenAskedAndKeepsTheBestPoint) {
  Rosenbrock problem(2);
  std::vector<double> x = {-1.2, 1.0};
  std::vector<double> g(2);
  const double start = problem.evaluate(x, g);
  int asked = 0;
  const auto summary = maximise_lbfgs(problem, x, {}, [&] { return ++asked >= 3; });
  EXPECT_EQ(summary.stop, OptimizeSummary::Stop::kInterrupted);
  EXPECT_FALSE(summary.converged);
  EXPECT_GT(summary.value, start);
  EXPECT_DOUBLE_EQ(problem.evaluate(x, g), summary.value);
}

TEST(Lbfgs, ReportsAnIterationLimitAsNotConverged) {
  Rosenbrock problem(20);
  std::vector<double> x(20, -1.2);
  LbfgsOptions options;
  options.most_iterations = 3;
  const auto summary = maximise_lbfgs(problem, x, options);
  EXPECT_EQ(summary.stop, OptimizeSummary::Stop::kIterations);
  EXPECT_FALSE(summary.converged);
}

TEST(Lbfgs, WithNothingToLearnEvaluatesOnce) {
  Constant problem;
  const auto summary = maximise_lbfgs(problem, {}, {});
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.value, 7.0);
}

TEST(Lbfgs, RefusesOptionsThatCannotWork) {
  LbfgsOptions options;
  options.gradient_tolerance = -1.0;
  EXPECT_THROW(options.validate(), Error);
  options = {};
  options.most_iterations = 0;
  EXPECT_THROW(options.validate(), Error);
}

TEST(Adam, ReachesTheTopOfAParabola) {
  std::vector<double> x = {3.0, -2.0};
  Adam adam(2, 0.01);
  for (int k = 0; k < 5000; ++k) {
    const std::vector<double> g = {-2.0 * (x[0] - 1.0), -20.0 * (x[1] - 0.5)};
    adam.step(g, x);
  }
  EXPECT_NEAR(x[0], 1.0, 1e-6);
  EXPECT_NEAR(x[1], 0.5, 1e-6);
}

TEST(Adam, FirstStepHasTheLengthOfTheRate) {
  std::vector<double> x = {0.0};
  Adam adam(1, 0.001);
  adam.step(std::vector<double>{123.0}, x);
  EXPECT_NEAR(x[0], 0.001, 1e-12);
}

TEST(GradientCheck, PassesARightGradientAndCatchesAWrongOne) {
  const std::vector<double> x = {-0.7, 0.3, 1.4, 2.0};
  Rosenbrock right(4);
  EXPECT_LT(check_gradient(right, x).worst_error, 1e-9);
  Rosenbrock wrong(4, 100.0, 0.5);
  const auto caught = check_gradient(wrong, x);
  EXPECT_GT(caught.worst_error, 1e-6);
  EXPECT_EQ(caught.worst_coordinate % 2, 0);
}

}  // namespace
}  // namespace interpole::optimize
