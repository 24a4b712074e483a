#include "interpole/planning/fixed_points.hpp"

#include <gtest/gtest.h>

#include "interpole/planning/exact.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole {
namespace {

std::vector<double> flattened(const std::vector<std::vector<double>>& beliefs) {
  std::vector<double> flat;
  for (const auto& belief : beliefs) flat.insert(flat.end(), belief.begin(), belief.end());
  return flat;
}

TEST(QTable, EqualsLookAheadOneBeliefAtATime) {
  for (const Pomdp& problem :
       {testing::diag_problem(), testing::tiger(0.9), testing::random_pomdp(4, 3, 2, 3, 0.8)}) {
    const auto pomdp = testing::shared(problem);
    const ValueFunction value = solve_exact(pomdp, {.horizon = 4, .start = {}}).value;
    const auto beliefs = testing::some_beliefs(problem.state_count(), 37);
    const BeliefTable table = BeliefTable::of(flattened(beliefs), problem.state_count());
    const std::vector<double> q = q_table(*pomdp, value.next(), table);
    for (std::size_t i = 0; i < beliefs.size(); ++i) {
      for (int a = 0; a < problem.action_count(); ++a) {
        EXPECT_NEAR(q[a * table.count + i], value.q(beliefs[i], a), 1e-12);
      }
    }
  }
}

TEST(FixedPoints, AreExactAtEveryPointAfterOneStageAndNeverAboveTheOptimum) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto pomdp = testing::shared(testing::random_pomdp(seed, 3, 3, 2, 0.9));
    const BeliefTable points = spread_points({}, 3, 20);
    const auto beliefs = testing::some_beliefs(3, 100, seed);
    for (const int horizon : {1, 2, 6}) {
      const ValueFunction exact =
          solve_exact(pomdp, {.horizon = horizon, .epsilon = 1e-9, .start = {}}).value;
      const ValueFunction fast = solve_at_points(pomdp, horizon, points);
      for (const auto& belief : beliefs) EXPECT_LE(fast.value(belief), exact.value(belief) + 1e-9);
      if (horizon > 1) continue;
      for (std::size_t i = 0; i < points.count; ++i) {
        const std::vector<double> point = {points.by_state[i], points.by_state[points.count + i],
                                           points.by_state[2 * points.count + i]};
        EXPECT_NEAR(fast.value(point), exact.value(point), 1e-12);
      }
    }
  }
}

// What counts for a softmax: how far q is off, compared with how far q of different actions lie apart.
TEST(FixedPoints, ComeCloseWithSixtyFourPoints) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto pomdp = testing::shared(testing::random_pomdp(seed, 3, 2, 3, 0.9));
    const ValueFunction exact = solve_exact(pomdp, {.horizon = 8, .epsilon = 1e-3, .start = {}}).value;
    const ValueFunction fast = solve_at_points(pomdp, 8, spread_points({}, 3, 64));
    double worst = 0.0;
    double largest = 0.0;
    for (const auto& belief : testing::some_beliefs(3, 200, seed)) {
      for (int a = 0; a < 2; ++a) {
        worst = std::max(worst, std::abs(exact.q(belief, a) - fast.q(belief, a)));
        largest = std::max(largest, std::abs(exact.q(belief, a)));
      }
    }
    EXPECT_LT(worst, 0.01 * largest) << seed;
  }
}

TEST(SpreadPoints, LeaveNoBeliefFarAway) {
  const std::vector<double> candidates = {0.2, 0.3, 0.5, 0.2, 0.3, 0.5};
  const BeliefTable points = spread_points(candidates, 3, 64);
  EXPECT_EQ(points.count, 64U);
  for (const auto& belief : testing::some_beliefs(3, 500)) {
    double closest = 9.0;
    for (std::size_t i = 0; i < points.count; ++i) {
      double sum = 0.0;
      for (std::size_t s = 0; s < 3; ++s) {
        sum += std::pow(points.by_state[s * points.count + i] - belief[s], 2);
      }
      closest = std::min(closest, std::sqrt(sum));
    }
    EXPECT_LT(closest, 0.15);  // 64 discs of this radius cover the triangle three times
  }
  EXPECT_EQ(spread_points({}, 1, 64).count, 1U);  // one state: one belief
  EXPECT_LE(spread_points({}, 12, 64).count, 64U);
}

}  // namespace
}  // namespace interpole
