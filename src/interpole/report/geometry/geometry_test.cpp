#include "interpole/report/geometry/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "interpole/base/random.hpp"
#include "interpole/report/geometry/nearest_mean_testing.hpp"

namespace interpole::report {
namespace {

Policy policy_with(std::vector<double> means) {
  return {10.0, std::move(means)};
}

Policy random_policy(int states, int actions, std::uint64_t seed) {
  base::RandomStream random(seed);
  Policy policy{10.0, {}};
  for (int a = 0; a < actions; ++a) {
    std::vector<double> mean(states);
    for (double& x : mean) x = 0.7 * random.normal();
    const double excess = std::accumulate(mean.begin(), mean.end(), -1.0) / states;
    for (const double x : mean) policy.means.push_back(x - excess);
  }
  return policy;
}

// The sum of the angles at which a point sees the corners: a full turn inside, nothing outside.
bool inside(const BeliefPolygon& polygon, const Belief3& point) {
  double turn = 0.0;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const Belief3& a = polygon.corners[i];
    const Belief3& b = polygon.corners[(i + 1) % polygon.corners.size()];
    const double ax = a[1] - point[1], ay = a[2] - point[2], bx = b[1] - point[1], by = b[2] - point[2];
    turn += std::atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return std::abs(turn) > 3.0;
}

double dot_with_bisector(const Policy& policy, const BeliefSegment& segment, const Belief3& point) {
  double difference = 0.0;
  for (int s = 0; s < 3; ++s) {
    difference += std::pow(point[s] - policy.means[segment.first * 3 + s], 2) -
                  std::pow(point[s] - policy.means[segment.second * 3 + s], 2);
  }
  return difference;
}

TEST(DecisionIntervals, BiasTruthChangesAtTenAndNinetyPerCent) {
  const auto regions = decision_intervals(policy_with({0.5, 0.5, 1.3, -0.3, -0.3, 1.3}));
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_EQ(regions[0].action, 1);
  EXPECT_EQ(regions[1].action, 0);
  EXPECT_EQ(regions[2].action, 2);
  EXPECT_DOUBLE_EQ(regions[0].low, 0.0);
  EXPECT_NEAR(regions[0].high, 0.1, 1e-15);
  EXPECT_NEAR(regions[2].low, 0.9, 1e-15);
  EXPECT_DOUBLE_EQ(regions[2].high, 1.0);
}

TEST(DecisionIntervals, MatchNearestMeanOnAGrid) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Policy policy = random_policy(2, 1 + static_cast<int>(seed % 7), seed);
    const auto regions = decision_intervals(policy);
    for (int i = 0; i <= 200; ++i) {
      const std::array<double, 2> belief = {1.0 - i / 200.0, i / 200.0};
      const int expected = nearest_mean(policy, belief, 1e-9);
      if (expected < 0) continue;
      for (const auto& region : regions) {
        if (region.low > belief[1] || region.high < belief[1]) continue;
        EXPECT_EQ(region.action, expected) << "seed " << seed << " belief " << belief[1];
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 39'000);  // of 200 × 201 points: nearly every one lies in a region
}

TEST(DecisionIntervals, CoverTheLineWithoutGaps) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto regions = decision_intervals(random_policy(2, 6, seed));
    double reached = 0.0;
    for (const auto& region : regions) {
      EXPECT_NEAR(region.low, reached, 1e-12);
      reached = region.high;
    }
    EXPECT_DOUBLE_EQ(reached, 1.0);
  }
}

TEST(DecisionIntervals, OfEqualMeansTheFirstHasTheRegion) {
  const auto regions = decision_intervals(policy_with({0.2, 0.8, 0.2, 0.8}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].action, 0);
}

TEST(DecisionPolygons, MatchNearestMeanOnAGrid) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Policy policy = random_policy(3, 2 + static_cast<int>(seed % 6), seed);
    const auto polygons = decision_polygons(policy);
    for (int i = 1; i < 30; ++i) {
      for (int k = 1; i + k < 30; ++k) {
        const Belief3 belief = {1.0 - (i + k) / 30.0, i / 30.0, k / 30.0};
        const int expected = nearest_mean(policy, belief, 1e-6);
        if (expected < 0) continue;
        for (const auto& polygon : polygons) {
          EXPECT_EQ(inside(polygon, belief), polygon.action == expected) << "seed " << seed;
        }
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 24'000);  // of 60 × 406
}

TEST(DecisionPolygons, ShareOutTheWholeTriangle) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    double total = 0.0;
    for (const auto& polygon : decision_polygons(random_policy(3, 7, seed))) total += area_share(polygon);
    EXPECT_NEAR(total, 1.0, 1e-6);  // slivers below 1e-9 of the area are left out
  }
}

TEST(DecisionPolygons, AnActionFarAwayHasNoRegion) {
  const auto polygons = decision_polygons(policy_with({1, 0, 0, 0, 1, 0, 9, 9, -17}));
  ASSERT_EQ(polygons.size(), 2u);
  EXPECT_NEAR(area_share(polygons[0]), 0.5, 1e-12);
}

TEST(DecisionBoundaries, LieOnBisectorsWhereNoThirdActionIsNearer) {
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Policy policy = random_policy(3, 5, seed);
    for (const auto& segment : decision_boundaries(corner_scores(policy))) {
      Belief3 middle{};
      for (int s = 0; s < 3; ++s) middle[s] = (segment.from[s] + segment.to[s]) / 2;
      for (const Belief3& point : {segment.from, segment.to, middle}) {
        EXPECT_NEAR(dot_with_bisector(policy, segment, point), 0.0, 1e-10);
        for (const double p : point) EXPECT_GE(p, -1e-12);
      }
      for (int c = 0; c < 5; ++c) {
        if (c == segment.first) continue;
        EXPECT_GE(nearer_by(policy, segment.first, c, middle), -1e-10);
      }
      ++seen;
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(DecisionBoundaries, ARepeatedActionDrawsNoSecondLine) {
  const auto once = decision_boundaries(corner_scores(policy_with({1, 0, 0, 0, 1, 0})));
  const auto twice = decision_boundaries(corner_scores(policy_with({1, 0, 0, 0, 1, 0, 0, 1, 0})));
  ASSERT_EQ(once.size(), 1u);
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(twice[0].second, 1);
}

}  // namespace
}  // namespace interpole::report
