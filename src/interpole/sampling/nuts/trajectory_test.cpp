// The integrator and the tree it builds, step by step.

#include "interpole/sampling/nuts/trajectory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "interpole/sampling/sampler_testing.hpp"

namespace interpole::sampling {
namespace {

// Curved, with all coordinates coupled: no property holds by accident of linearity.
FunctionTarget quartic() {
  return {3, [](std::span<const double> x, std::span<double> g) {
            const double s = x[0] + 0.5 * x[1] - x[2];
            double value = -std::pow(s, 4.0);
            const double slope = -4.0 * std::pow(s, 3.0);
            const double weights[] = {1.0, 0.5, -1.0};
            for (int i = 0; i < 3; ++i) {
              value -= 0.5 * (i + 1.0) * x[i] * x[i];
              g[i] = slope * weights[i] - (i + 1.0) * x[i];
            }
            return value;
          }};
}

const std::vector<double> kCovariance = {1.0, 0.3, 0.1, 0.3, 0.5, 0.0, 0.1, 0.0, 0.4};

PhasePoint start_of(const Hamiltonian& hamiltonian, std::vector<double> position, std::uint64_t seed) {
  PhasePoint point(hamiltonian.size());
  point.at.position = std::move(position);
  EXPECT_TRUE(hamiltonian.evaluate(point.at));
  base::RandomStream random(seed);
  hamiltonian.kick(point, random);
  return point;
}

TEST(Leapfrog, ComesBackWhenTimeRunsBackwards) {
  auto target = quartic();
  for (const MetricKind kind : {MetricKind::kDiagonal, MetricKind::kDense}) {
    const Metric metric(kind, 3,
                        kind == MetricKind::kDense ? kCovariance : std::vector<double>{1.0, 0.5, 0.4});
    const Hamiltonian hamiltonian(target, metric);
    const PhasePoint start = start_of(hamiltonian, {0.4, -0.2, 0.7}, 3);
    PhasePoint point = start;
    for (int i = 0; i < 200; ++i) hamiltonian.leapfrog(point, 0.05);
    EXPECT_GT(std::abs(point.at.position[0] - start.at.position[0]), 1e-3);
    for (int i = 0; i < 200; ++i) hamiltonian.leapfrog(point, -0.05);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(point.at.position[i], start.at.position[i], 1e-11);
      EXPECT_NEAR(point.momentum[i], start.momentum[i], 1e-11);
    }
  }
}

double determinant(std::vector<double> a, int n) {
  double result = 1.0;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    if (pivot != k) result = -result;
    result *= a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double share = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; ++j) a[i * n + j] -= share * a[k * n + j];
    }
  }
  return result;
}

// The Jacobian of ten steps, by central differences in all six directions of phase space.
TEST(Leapfrog, PreservesVolume) {
  auto target = quartic();
  const Metric metric(MetricKind::kDense, 3, kCovariance);
  const Hamiltonian hamiltonian(target, metric);
  const PhasePoint start = start_of(hamiltonian, {0.4, -0.2, 0.7}, 4);
  constexpr double kNudge = 1e-5;
  std::vector<double> jacobian(36);
  for (int j = 0; j < 6; ++j) {
    for (const double sign : {1.0, -1.0}) {
      PhasePoint point = start;
      (j < 3 ? point.at.position[j] : point.momentum[j - 3]) += sign * kNudge;
      hamiltonian.evaluate(point.at);
      for (int i = 0; i < 10; ++i) hamiltonian.leapfrog(point, 0.2);
      for (int i = 0; i < 6; ++i) {
        const double out = i < 3 ? point.at.position[i] : point.momentum[i - 3];
        jacobian[i * 6 + j] += sign * out / (2.0 * kNudge);
      }
    }
  }
  // Differences err by nudge² and by rounding/nudge: both about 10⁻¹⁰, times the map's curvature.
  EXPECT_NEAR(determinant(jacobian, 6), 1.0, 1e-6);
}

TEST(Leapfrog, EnergyErrorFallsWithTheSquareOfTheStep) {
  auto target = quartic();
  const Metric metric(MetricKind::kDense, 3, kCovariance);
  const Hamiltonian hamiltonian(target, metric);
  const PhasePoint start = start_of(hamiltonian, {0.4, -0.2, 0.7}, 5);
  const auto worst_error = [&](int steps) {
    PhasePoint point = start;
    double worst = 0.0;
    for (int i = 0; i < steps; ++i) {
      hamiltonian.leapfrog(point, 2.0 / steps);
      worst = std::max(worst, std::abs(point.energy - start.energy));
    }
    return worst;
  };
  const double coarse = worst_error(100), fine = worst_error(200), finest = worst_error(400);
  EXPECT_GT(finest, 1e-8);  // still far above rounding
  EXPECT_NEAR(coarse / fine, 4.0, 0.2);
  EXPECT_NEAR(fine / finest, 4.0, 0.1);
}

TEST(Leapfrog, IsNotShownPositionsThatAreNotNumbers) {
  bool shown = false;
  FunctionTarget target(1, [&](std::span<const double> x, std::span<double> g) {
    shown = shown || !std::isfinite(x[0]);
    g[0] = -x[0];
    return -0.5 * x[0] * x[0];
  });
  const Metric metric(MetricKind::kDiagonal, 1, {});
  const Hamiltonian hamiltonian(target, metric);
  PhasePoint point = start_of(hamiltonian, {1.0}, 6);
  hamiltonian.leapfrog(point, 1e308);
  hamiltonian.leapfrog(point, 1e308);
  EXPECT_EQ(point.energy, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(shown);
}

// In many dimensions position and momentum of a standard normal are perpendicular and equally long, up to
// 1/√dimensions: the orbit is a circle. n points span an angle of (n − 1)·step; a trajectory turns when that
// passes π.
int depth_on_a_circle(double step) {
  constexpr int kSize = 20'000;
  auto target = standard_normal(kSize);
  const Metric metric(MetricKind::kDiagonal, kSize, {});
  const Hamiltonian hamiltonian(target, metric);
  Trajectory trajectory(hamiltonian, 8, 1000.0);
  base::RandomStream random(1);
  EvaluatedPoint point{std::vector<double>(kSize), std::vector<double>(kSize)};
  for (double& x : point.position) x = random.normal();
  EXPECT_TRUE(hamiltonian.evaluate(point));
  const Transition transition = trajectory.advance(point, step, random);
  EXPECT_EQ(transition.leapfrogs, (1 << transition.depth) - 1);
  return transition.depth;
}

TEST(Trajectory, OfAHarmonicOscillatorStopsAfterHalfAPeriod) {
  EXPECT_EQ(depth_on_a_circle(0.30), 4);  // 8 points: 2.10; 16 points: 4.50
  EXPECT_EQ(depth_on_a_circle(0.15), 5);  // 16 points: 2.25; 32 points: 4.65
  EXPECT_EQ(depth_on_a_circle(0.07), 6);  // 32 points: 2.17; 64 points: 4.41
}

// Two halves of 16 points just short of π make a whole of 32 just past 2π, whose ends move with each other
// again. Only the halves extended by one point show the turn.
TEST(Trajectory, ThatClosesExactlyWhereItsHalvesMeetIsSeenToTurn) {
  constexpr double kStep = 0.2052;
  static_assert(15 * kStep < std::numbers::pi && 31 * kStep > 2.0 * std::numbers::pi);
  EXPECT_EQ(depth_on_a_circle(kStep), 5);
}

// One transition from an exact draw gives an exact draw, however coarse the step. Steps of 1.6 against a
// width of 1 have energy errors of order one, and the width of 12 makes trees of several doublings, so every
// rule by which points are weighed and chosen matters. Draws are independent: the errors of their moments are
// known.
TEST(Trajectory, LeavesTheTargetUnchangedEvenWithCoarseSteps) {
  constexpr int kDraws = 200'000;
  constexpr double kStandardErrors = 4.0;
  const double widths[] = {1.0, 12.0};
  FunctionTarget target(2, [&](std::span<const double> x, std::span<double> g) {
    for (int i = 0; i < 2; ++i) g[i] = -x[i] / (widths[i] * widths[i]);
    return 0.5 * (g[0] * x[0] + g[1] * x[1]);
  });
  const Metric metric(MetricKind::kDiagonal, 2, {});
  const Hamiltonian hamiltonian(target, metric);
  Trajectory trajectory(hamiltonian, 10, 1000.0);
  double second[2] = {}, fourth[2] = {}, mixed = 0.0, deep = 0.0;
  for (int draw = 0; draw < kDraws; ++draw) {
    base::RandomStream random(1, draw);
    EvaluatedPoint point{{random.normal(), 12.0 * random.normal()}, {0.0, 0.0}};
    hamiltonian.evaluate(point);
    deep += trajectory.advance(point, 1.6, random).depth >= 3 ? 1.0 / kDraws : 0.0;
    const double x = point.position[0], y = point.position[1] / 12.0;
    second[0] += x * x / kDraws;
    second[1] += y * y / kDraws;
    fourth[0] += x * x * x * x / kDraws;
    fourth[1] += y * y * y * y / kDraws;
    mixed += (x * x - 1.0) * (y * y - 1.0) / kDraws;
  }
  EXPECT_GT(deep, 0.3);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(second[i], 1.0, kStandardErrors * std::sqrt(2.0 / kDraws)) << i;
    EXPECT_NEAR(fourth[i], 3.0, kStandardErrors * std::sqrt(96.0 / kDraws)) << i;
  }
  EXPECT_NEAR(mixed, 0.0, kStandardErrors * std::sqrt(4.0 / kDraws));
}

TEST(Trajectory, StopsAtTheLargestDepth) {
  auto target = standard_normal(2);
  const Metric metric(MetricKind::kDiagonal, 2, {});
  const Hamiltonian hamiltonian(target, metric);
  Trajectory trajectory(hamiltonian, 4, 1000.0);
  EvaluatedPoint point{{1.0, -1.0}, {0.0, 0.0}};
  ASSERT_TRUE(hamiltonian.evaluate(point));
  base::RandomStream random(1);
  const Transition transition = trajectory.advance(point, 1e-4, random);
  EXPECT_EQ(transition.depth, 4);
  EXPECT_EQ(transition.leapfrogs, 15);
  EXPECT_NEAR(transition.accept_stat, 1.0, 1e-6);
  EXPECT_NEAR(transition.energy_error, 0.0, 1e-6);
}

// Beyond 2 a leapfrog step of a unit oscillator is unstable: the energy grows without bound.
TEST(Trajectory, CallsAnUnstableStepDivergentAndStays) {
  auto target = standard_normal(1);
  const Metric metric(MetricKind::kDiagonal, 1, {});
  const Hamiltonian hamiltonian(target, metric);
  Trajectory trajectory(hamiltonian, 10, 1000.0);
  EvaluatedPoint point{{1.0}, {0.0}};
  ASSERT_TRUE(hamiltonian.evaluate(point));
  base::RandomStream random(1);
  const Transition transition = trajectory.advance(point, 100.0, random);
  EXPECT_TRUE(transition.divergent);
  EXPECT_EQ(transition.depth, 0);
  EXPECT_EQ(point.position[0], 1.0);
  EXPECT_EQ(transition.energy_error, 0.0);
}

TEST(ReasonableStepSize, IsOfTheOrderOfTheTargetsWidth) {
  for (const double width : {1e-4, 1.0, 1e4}) {
    FunctionTarget target(1, [width](std::span<const double> x, std::span<double> g) {
      g[0] = -x[0] / (width * width);
      return -0.5 * x[0] * x[0] / (width * width);
    });
    const Metric metric(MetricKind::kDiagonal, 1, {});
    const Hamiltonian hamiltonian(target, metric);
    EvaluatedPoint start{{width}, {0.0}};
    ASSERT_TRUE(hamiltonian.evaluate(start));
    base::RandomStream random(1);
    const double step = reasonable_step_size(hamiltonian, start, 1.0, random);
    EXPECT_GT(step, 0.1 * width);
    EXPECT_LT(step, 8.0 * width);
  }
}

}  // namespace
}  // namespace interpole::sampling
