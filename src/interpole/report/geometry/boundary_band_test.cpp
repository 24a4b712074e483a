#include "interpole/report/geometry/boundary_band.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/report/geometry/nearest_mean_testing.hpp"
#include "interpole/report/geometry/slice.hpp"

namespace interpole::report {
namespace {

// Two actions whose boundary is belief[2] = at.
CornerScores boundary_at(double at) {
  return {{0, 0, 0}, {-at, -at, 1 - at}};
}

double area_of(const std::vector<std::vector<Belief3>>& loops) {
  double area = 0.0;
  for (const auto& loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Belief3& p = loop[i];
      const Belief3& q = loop[(i + 1) % loop.size()];
      area += p[1] * q[2] - p[2] * q[1];
    }
  }
  return std::abs(area);  // of the whole triangle: 1
}

// Area of the triangle between belief[2] = low and = high.
double strip(double low, double high) {
  return (1 - low) * (1 - low) - (1 - high) * (1 - high);
}

std::vector<CornerScores> draws_around(double middle, double half_width, int count) {
  std::vector<CornerScores> draws;
  draws.reserve(count);
  for (int i = 0; i < count; ++i) {
    draws.push_back(boundary_at(middle + half_width * (2.0 * (i + 0.5) / count - 1.0)));
  }
  return draws;
}

TEST(BoundaryBand, IsTheCentralIntervalOfAStraightBoundary) {
  const auto loops = boundary_band(boundary_at(0.4), draws_around(0.4, 0.1, 2000), 0.9, 48);
  ASSERT_EQ(loops.size(), 1u);
  for (const Belief3& corner : loops[0]) {
    EXPECT_GE(corner[2], 0.31 - 1e-3);  // 90% of a uniform spread of ±0.1
    EXPECT_LE(corner[2], 0.49 + 1e-3);
  }
  EXPECT_NEAR(area_of(loops), strip(0.31, 0.49), 1e-3);
}

TEST(BoundaryBand, FindsBandsNarrowerThanItsLattice) {
  const auto loops = boundary_band(boundary_at(0.407), draws_around(0.407, 0.001, 2000), 0.9, 20);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_NEAR(area_of(loops), strip(0.407 - 0.0009, 0.407 + 0.0009), 2e-5);
}

TEST(BoundaryBand, IsEmptyWithoutDoubt) {
  EXPECT_TRUE(boundary_band(boundary_at(0.4), {}, 0.9).empty());
  const std::vector<CornerScores> same(100, boundary_at(0.4));
  EXPECT_NEAR(area_of(boundary_band(boundary_at(0.4), same, 0.9)), 0.0, 1e-12);
}

TEST(BoundaryBand, AgreesWithCountingDraws) {
  base::RandomStream random(5);
  const Structure structure = testing::some_structure(3, 4, 2);
  const Policy fitted = testing::random_parameters(structure, random).policy;
  std::vector<CornerScores> draws;
  for (int i = 0; i < 400; ++i) {
    Policy draw = fitted;
    for (double& mean : draw.means) mean += 0.05 * random.normal();
    draws.push_back(corner_scores(draw));
  }
  const CornerScores scores = corner_scores(fitted);
  const auto loops = boundary_band(scores, draws, 0.8, 60);
  const auto likeliest = [](const CornerScores& s, const Belief3& b) {
    const auto value = [&](const Belief3& x) { return x[0] * b[0] + x[1] * b[1] + x[2] * b[2]; };
    return std::max_element(s.begin(), s.end(),
                            [&](const Belief3& x, const Belief3& y) { return value(x) < value(y); }) -
           s.begin();
  };
  // A share of the triangle, counted point by point: the two must agree up to the grain of the counting.
  int inside = 0;
  int all = 0;
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; i + k < 100; ++k) {
      const Belief3 belief = {1 - (i + k + 0.66) / 100, (i + 0.33) / 100, (k + 0.33) / 100};
      const auto here = likeliest(scores, belief);
      const auto agree = std::count_if(draws.begin(), draws.end(), [&](const CornerScores& draw) {
        return likeliest(draw, belief) == here;
      });
      inside += agree < 360 ? 1 : 0;  // 90% of 400
      ++all;
    }
  }
  EXPECT_NEAR(area_of(loops), static_cast<double>(inside) / all, 0.01);
}

TEST(TieBetween, LiesWhereTwoActionsAreEquallyLikely) {
  const Policy policy{10.0, {0.5, 0.5, 1.3, -0.3, -0.3, 1.3}};  // BIAS: 10% and 90%
  EXPECT_NEAR(tie_between(policy, 0, 1), 0.1, 1e-12);
  EXPECT_NEAR(tie_between(policy, 2, 0), 0.9, 1e-12);
  EXPECT_TRUE(std::isnan(tie_between(policy, 0, 0)));
}

TEST(Slice, RegionsOnASliceAreThoseOfTheBeliefsItShows) {
  base::RandomStream random(11);
  const Structure structure = testing::some_structure(5, 4, 2);
  const Policy policy = testing::random_parameters(structure, random).policy;
  const std::vector<double> typical = {0.1, 0.3, 0.2, 0.1, 0.3};
  const Slice slice = two_and_rest(structure, 1, 3, typical);
  for (const BeliefPolygon& region : decision_polygons(corner_scores(policy, slice))) {
    Belief3 middle{};  // of its corners: inside, as the region is convex
    for (const Belief3& corner : region.corners) {
      for (int i = 0; i < 3; ++i) middle[i] += corner[i] / static_cast<double>(region.corners.size());
    }
    std::vector<double> belief(5, 0.0);
    for (int i = 0; i < 3; ++i) {
      for (int s = 0; s < 5; ++s) belief[s] += middle[i] * slice.corners[i][s];
    }
    EXPECT_EQ(nearest_mean(policy, belief, 0.0), region.action);
    const Belief3 shown = slice.shown(belief);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(shown[i], middle[i], 1e-12);
  }
}

TEST(Slice, AFaceLeavesOneStateOut) {
  const Structure structure = testing::some_structure(4, 2, 2);
  const Slice face = face_without(structure, 1);
  EXPECT_THAT(face.names, ::testing::ElementsAre("s0", "s2", "s3"));
  const std::vector<double> belief = {0.3, 0.4, 0.1, 0.2};
  const Belief3 shown = face.shown(belief);
  EXPECT_NEAR(shown[0], 0.5, 1e-12);
  EXPECT_NEAR(shown[2], 1.0 / 3, 1e-12);
}

TEST(Slice, HasARestEvenIfTheDataNeverBelieveInIt) {
  const Structure structure = testing::some_structure(5, 2, 2);
  const std::vector<double> typical = {0.5, 0.5, 0, 0, 0};
  const Slice slice = two_and_rest(structure, 0, 1, typical);
  EXPECT_THAT(slice.corners[2], ::testing::ElementsAre(0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3));
}

}  // namespace
}  // namespace interpole::report
