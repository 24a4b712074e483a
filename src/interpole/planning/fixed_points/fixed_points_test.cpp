#include "interpole/planning/fixed_points/fixed_points.hpp"

#include <gtest/gtest.h>

#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/fixed_points/fixed_points_testing.hpp"
#include "interpole/planning/fixed_points/point_stages.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

std::vector<double> flattened(const std::vector<std::vector<double>>& beliefs) {
  std::vector<double> flat;
  for (const auto& belief : beliefs) flat.insert(flat.end(), belief.begin(), belief.end());
  return flat;
}

// Some actions end the process, some outcomes never follow an action, some only from some states.
Pomdp problem_with_gaps(std::uint64_t seed, int states, int actions, int observations) {
  Pomdp pomdp = testing::random_pomdp(seed, states, actions, observations, 0.9);
  const auto S = static_cast<std::size_t>(states);
  const auto Z = static_cast<std::size_t>(observations);
  for (std::size_t a = 0; a + 1 < pomdp.actions.size(); ++a) {
    for (std::size_t s = 0; s < S; ++s) {
      double* const row = &pomdp.observation[(a * S + s) * Z];
      row[a % Z] = 0.0;
      if (s == 0) row[(a + 1) % Z] = 0.0;
      double left = 0.0;
      for (std::size_t z = 0; z < Z; ++z) left += row[z];
      for (std::size_t z = 0; z < Z; ++z) row[z] /= left;
    }
  }
  pomdp.terminal.back() = 1;
  std::fill_n(pomdp.observation.end() - static_cast<std::ptrdiff_t>(S * Z), S * Z, 0.0);
  return pomdp;
}

TEST(QTable, EqualsLookAheadOneBeliefAtATime) {
  for (const Pomdp& problem : {testing::diag_problem(), testing::tiger(0.9),
                               testing::random_pomdp(4, 3, 2, 3, 0.8), problem_with_gaps(5, 3, 3, 3)}) {
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
    const BeliefTable points = belief_grid({}, 3, 20);
    const auto beliefs = testing::some_beliefs(3, 100, seed);
    for (const int horizon : {1, 2, 6}) {
      const ValueFunction exact =
          solve_exact(pomdp, {.horizon = horizon, .epsilon = 1e-9, .start = {}}).value;
      const ValueFunction fast = solve_at_points(pomdp, horizon, points);
      for (const auto& belief : beliefs) EXPECT_LE(fast.value(belief), exact.value(belief) + 1e-9);
      if (horizon > 1) continue;
      for (std::size_t i = 0; i < points.count; ++i) {
        const std::vector<double> point = testing::point_of(points, i);
        EXPECT_NEAR(fast.value(point), exact.value(point), 1e-12);
      }
    }
  }
}

// Rewards are about one and a stage adds about ten terms, so the rounding of twelve stages stays below this.
constexpr double kRounding = 1e-12;

void expect_same_vectors(const AlphaVectors& x, const AlphaVectors& y, std::uint64_t seed) {
  ASSERT_EQ(x.actions, y.actions) << "seed " << seed;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    EXPECT_NEAR(x.values[i], y.values[i], kRounding) << "seed " << seed;
  }
}

TEST(FixedPoints, AreWhatTheirDefinitionSays) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const int states = 1 + static_cast<int>(seed % 7);
    const int actions = 2 + static_cast<int>(seed % 3);
    const auto pomdp =
        testing::shared(problem_with_gaps(seed, states, actions, 3 + static_cast<int>(seed % 2)));
    const BeliefTable points = belief_grid({}, states, 11 + seed);
    for (const int horizon : {1, 2, 12}) {
      const ValueFunction fast = solve_at_points(pomdp, horizon, points);
      const ValueFunction plain = testing::plain_plan(pomdp, horizon, points);
      expect_same_vectors(fast.vectors(), plain.vectors(), seed);
      expect_same_vectors(fast.next(), plain.next(), seed);
    }
  }
}

TEST(FixedPoints, EveryVectorIsMadeOfThoseItSaysItFollows) {
  const Pomdp pomdp = problem_with_gaps(3, 3, 3, 4);
  const BeliefTable points = belief_grid({}, 3, 30);
  PointStages stages(pomdp, points);
  AlphaVectors next = AlphaVectors::zero(3);
  for (int stage = 0; stage < 6; ++stage) {
    AlphaVectors now;
    std::vector<int> followed;
    stages.back_up(next, now, &followed);
    ASSERT_EQ(followed.size(), now.size() * 4);
    for (std::size_t k = 0; k < now.size(); ++k) {
      const int a = now.actions[k];
      for (int s = 0; s < 3; ++s) {
        double value = pomdp.gain(a, s);
        for (int z = 0; z < 4 && !pomdp.is_terminal(a); ++z) {
          value += project(pomdp, a, z, next).row(followed[k * 4 + z])[s];
        }
        EXPECT_NEAR(now.row(k)[s], value, kRounding);
      }
    }
    next = now;
  }
}

// What counts for a softmax: how far q is off, compared with how far q of different actions lie apart.
TEST(FixedPoints, ComeCloseWithSixtyFourPoints) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto pomdp = testing::shared(testing::random_pomdp(seed, 3, 2, 3, 0.9));
    const ValueFunction exact = solve_exact(pomdp, {.horizon = 8, .epsilon = 1e-3, .start = {}}).value;
    const ValueFunction fast = solve_at_points(pomdp, 8, belief_grid({}, 3, 64));
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
  const BeliefTable points = belief_grid(candidates, 3, 64);
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
  EXPECT_EQ(belief_grid({}, 1, 64).count, 1U);  // one state: one belief
  EXPECT_LE(belief_grid({}, 12, 64).count, 64U);
}

}  // namespace
}  // namespace interpole::planning
