#include "interpole/boundary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "interpole/inference/oracle_testing.hpp"

namespace interpole::explain {
namespace {

TEST(NearestBoundary, OnALineIsTheMiddleBetweenTheMeans) {
  const auto structure = Structure::unrestricted({"x", "y"}, {"a", "b"}, {"z"});
  const Policy policy{3.0, {0.9, 0.1, 0.5, 0.5}};  // the boundary is at 0.7
  const auto found = nearest_boundary(structure, policy, std::vector{0.8, 0.2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->action, 1);
  EXPECT_NEAR(found->shift[0], -0.1, 1e-15);
  EXPECT_NEAR(found->shift[1], 0.1, 1e-15);
  EXPECT_NEAR(found->distance, 0.1 * std::sqrt(2.0), 1e-15);
}

TEST(NearestBoundary, IsNoneIfOneActionIsTheLikeliestEverywhere) {
  const auto structure = Structure::unrestricted({"x", "y"}, {"a", "b"}, {"z"});
  EXPECT_FALSE(nearest_boundary(structure, {3.0, {0.5, 0.5, 3.0, -2.0}}, std::vector{0.8, 0.2}));
  EXPECT_FALSE(nearest_boundary(structure, {0.0, {0.9, 0.1, 0.5, 0.5}}, std::vector{0.8, 0.2}));
  const auto one = Structure::unrestricted({"x"}, {"a", "b"}, {"z"});
  EXPECT_FALSE(nearest_boundary(one, {1.0, {1.0, 1.0}}, std::vector{1.0}));
}

// The nearest point of a fine grid on the simplex at which another action is likelier. Its distance exceeds
// the true one by at most the grid's spacing.
TEST(NearestBoundary, MatchesASearchOfTheWholeSimplex) {
  const auto structure = testing::some_structure(3, 4, 2);
  constexpr int kGrid = 400;
  int found_count = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    base::RandomStream random(seed);
    Policy policy = testing::random_parameters(structure, random).policy;
    for (double& m : policy.means) m = 1.0 / 3.0 + 0.5 * (m - 1.0 / 3.0);
    const auto belief = random.dirichlet(3, 0.5);
    const int own = most_likely_action(structure, policy, belief);
    double nearest = INFINITY;
    for (int i = 0; i <= kGrid; ++i) {
      for (int j = 0; i + j <= kGrid; ++j) {
        const std::vector<double> point = {i / double(kGrid), j / double(kGrid),
                                           (kGrid - i - j) / double(kGrid)};
        if (most_likely_action(structure, policy, point) == own) continue;
        double square = 0.0;
        for (int s = 0; s < 3; ++s) square += (point[s] - belief[s]) * (point[s] - belief[s]);
        nearest = std::min(nearest, std::sqrt(square));
      }
    }
    const auto found = nearest_boundary(structure, policy, belief);
    ASSERT_EQ(found.has_value(), std::isfinite(nearest)) << seed;
    if (!found) continue;
    ++found_count;
    EXPECT_LE(found->distance, nearest + 1e-12) << seed;
    EXPECT_NEAR(found->distance, nearest, 2.0 / kGrid) << seed;
    EXPECT_NEAR(std::accumulate(found->shift.begin(), found->shift.end(), 0.0), 0.0, 1e-12);
    std::vector<double> beyond = belief;
    for (int s = 0; s < 3; ++s) {
      beyond[s] += found->shift[s];
      EXPECT_GE(beyond[s], -1e-12);
    }
  }
  EXPECT_GT(found_count, 25);
}

}  // namespace
}  // namespace interpole::explain
