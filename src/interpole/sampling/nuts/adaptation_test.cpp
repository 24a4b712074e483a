// What a warm-up is made of: schedule, step size, moments, metric.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/sampling/nuts/dual_averaging.hpp"
#include "interpole/sampling/nuts/metric.hpp"
#include "interpole/sampling/nuts/running_moments.hpp"
#include "interpole/sampling/nuts/warm_up_schedule.hpp"

namespace interpole::sampling {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WarmUpSchedule, DoublesItsWindowsAndGivesTheRestToTheLast) {
  EXPECT_THAT(WarmUpSchedule(1000, 75, 25, 50).window_ends(), ElementsAre(100, 150, 250, 450, 950));
  EXPECT_THAT(WarmUpSchedule(500, 75, 25, 50).window_ends(), ElementsAre(100, 150, 250, 450));
  EXPECT_THAT(WarmUpSchedule(400, 75, 25, 50).window_ends(), ElementsAre(100, 150, 350));
  EXPECT_THAT(WarmUpSchedule(150, 75, 25, 50).window_ends(), ElementsAre(100));
  EXPECT_THAT(WarmUpSchedule(160, 75, 25, 50).window_ends(), ElementsAre(110));
}

TEST(WarmUpSchedule, ShrinksToFitAShortWarmUp) {
  const WarmUpSchedule schedule(100, 75, 25, 50);
  EXPECT_THAT(schedule.window_ends(), ElementsAre(90));
  EXPECT_FALSE(schedule.feeds_metric(15));
  EXPECT_TRUE(schedule.feeds_metric(16));
  EXPECT_TRUE(schedule.feeds_metric(90));
  EXPECT_FALSE(schedule.feeds_metric(91));
  EXPECT_THAT(WarmUpSchedule(19, 75, 25, 50).window_ends(), IsEmpty());
  EXPECT_THAT(WarmUpSchedule(0, 75, 25, 50).window_ends(), IsEmpty());
}

// Every window is fed at least as many points as the first, and none is fed after the last end.
TEST(WarmUpSchedule, LeavesNoWindowShortForAnyLength) {
  for (int n = 20; n < 3000; ++n) {
    const WarmUpSchedule schedule(n, 75, 25, 50);
    int fed = 0, since = 0;
    for (int i = 1; i <= n; ++i) {
      if (schedule.feeds_metric(i)) ++fed, ++since;
      if (!schedule.renews_metric(i)) continue;
      ASSERT_GE(since, n < 150 ? 15 : 25) << n;
      since = 0;
    }
    ASSERT_GT(fed, 0) << n;
    ASSERT_EQ(since, 0) << n;
  }
}

// Acceptance falls with the step as exp(−step): the step with acceptance 0.8 is −log 0.8.
TEST(DualAveraging, FindsTheStepThatIsAcceptedAsAsked) {
  DualAveraging search;
  search.restart(5.0);
  double step = 5.0;
  for (int i = 0; i < 2000; ++i) step = search.learn(std::exp(-step), 0.8);
  EXPECT_NEAR(search.settled_step_size(), -std::log(0.8), 0.01);
}

TEST(DualAveraging, StaysPositiveAndFiniteInAHopelessSearch) {
  for (const double accept : {0.0, 1.0}) {
    DualAveraging search;
    search.restart(1.0);
    double step = 1.0;
    for (int i = 0; i < 100'000; ++i) step = search.learn(accept, 0.8);
    EXPECT_GT(step, 0.0);
    EXPECT_TRUE(std::isfinite(step) && std::isfinite(search.settled_step_size()));
    EXPECT_GT(search.settled_step_size(), 0.0);
  }
}

// Two passes over the same points; the shift makes a one-pass sum of squares lose all its digits.
TEST(RunningMoments, MatchTwoPassesOverShiftedPoints) {
  constexpr int kPoints = 50, kSize = 3;
  base::RandomStream random(7);
  std::vector<std::vector<double>> points(kPoints, std::vector<double>(kSize));
  for (auto& p : points) {
    for (double& x : p) x = random.normal();
    p[1] += 0.5 * p[0] + 1e9;
  }
  for (const MetricKind kind : {MetricKind::kDiagonal, MetricKind::kDense}) {
    auto moments = RunningMoments::empty(kind, kSize);
    for (const auto& p : points) moments.add(p);
    const auto estimate = moments.regularised_covariance();
    std::vector<double> mean(kSize, 0.0);
    for (const auto& p : points)
      for (int i = 0; i < kSize; ++i) mean[i] += p[i] / kPoints;
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) {
        if (kind == MetricKind::kDiagonal && i != j) continue;
        double covariance = 0.0;
        for (const auto& p : points) covariance += (p[i] - mean[i]) * (p[j] - mean[j]) / (kPoints - 1);
        const double expected = covariance * 50.0 / 55.0 + (i == j ? 1e-3 * 5.0 / 55.0 : 0.0);
        // Coordinate 1 carries 10⁻⁷ of rounding from its shift.
        EXPECT_NEAR(estimate[kind == MetricKind::kDense ? i * kSize + j : i], expected, 1e-6);
      }
    }
    moments.clear();
    EXPECT_EQ(moments.count, 0);
  }
}

// Momenta have the inverse of the inverse metric as covariance. An entry of N independent products errs by
// √((C_aa·C_bb + C_ab²)/N).
TEST(Metric, DrawsMomentaWithTheInverseCovariance) {
  struct Case {
    MetricKind kind;
    std::vector<double> inverse;
    double covariance[2][2];
  };
  const Case cases[] = {
      {MetricKind::kDiagonal, {4.0, 0.01}, {{0.25, 0.0}, {0.0, 100.0}}},
      {MetricKind::kDense, {2.0, 0.9, 0.9, 0.5}, {{0.5 / 0.19, -0.9 / 0.19}, {-0.9 / 0.19, 2.0 / 0.19}}},
  };
  constexpr int kDraws = 20'000;
  for (const auto& [kind, inverse, covariance] : cases) {
    const Metric metric(kind, 2, inverse);
    base::RandomStream random(11);
    double sums[2][2] = {};
    for (int i = 0; i < kDraws; ++i) {
      double p[2];
      metric.draw_momentum(random, p);
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) sums[a][b] += p[a] * p[b] / kDraws;
    }
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        const double error =
            std::sqrt((covariance[a][a] * covariance[b][b] + covariance[a][b] * covariance[a][b]) / kDraws);
        EXPECT_NEAR(sums[a][b], covariance[a][b], 4.0 * error);
      }
    }
  }
}

TEST(Metric, CorrelationsAreWeakenedNoFurtherThanNeeded) {
  const std::vector<double> good = {2.0, 0.5, 0.5, 1.0};
  EXPECT_EQ(definite_covariance(good, 2), good);
  const std::vector<double> singular = {1.0, 2.0, 2.0, 4.0};
  Metric metric(MetricKind::kDense, 2, {});
  ASSERT_FALSE(metric.replace(singular));
  const auto found = definite_covariance(singular, 2);
  EXPECT_TRUE(metric.replace(found));
  EXPECT_EQ(found[0], 1.0);
  EXPECT_EQ(found[3], 4.0);
  EXPECT_NEAR(found[1], 2.0, 1e-8);
  // Worse than rounding: a correlation above one.
  EXPECT_TRUE(metric.replace(definite_covariance({1.0, 3.0, 3.0, 4.0}, 2)));
}

TEST(Metric, VelocityIsTheInverseTimesTheMomentum) {
  const std::vector<double> momentum = {3.0, -2.0};
  std::vector<double> velocity(2);
  Metric(MetricKind::kDiagonal, 2, std::vector<double>{4.0, 0.5}).velocity(momentum, velocity);
  EXPECT_THAT(velocity, ElementsAre(12.0, -1.0));
  Metric(MetricKind::kDense, 2, std::vector<double>{2.0, 0.5, 0.5, 1.0}).velocity(momentum, velocity);
  EXPECT_THAT(velocity, ElementsAre(5.0, -0.5));
}

TEST(Metric, KeepsWhatItHasIfAReplacementIsNoCovariance) {
  Metric metric(MetricKind::kDense, 2, std::vector<double>{2.0, 0.5, 0.5, 1.0});
  const auto before = metric.inverse();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(metric.replace(std::vector<double>{1.0, 2.0, 2.0, 1.0}));
  EXPECT_FALSE(metric.replace(std::vector<double>{1.0, nan, nan, 1.0}));
  EXPECT_FALSE(metric.replace(std::vector<double>{HUGE_VAL, 0.0, 0.0, 1.0}));
  EXPECT_EQ(metric.inverse(), before);
  EXPECT_TRUE(metric.replace(std::vector<double>{1.0, 0.5, 0.5, 1.0}));
  EXPECT_NE(metric.inverse(), before);
}

}  // namespace
}  // namespace interpole::sampling
