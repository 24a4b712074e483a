#include "interpole/planning/value_function.hpp"

#include <gmock/gmock.h>

#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

using testing::diag_problem;
using testing::expectimax;
using testing::random_pomdp;
using testing::shared;
using testing::some_beliefs;
using testing::tiger;

ValueFunction solved(const std::shared_ptr<const Pomdp>& pomdp, int horizon) {
  ExactOptions options;
  options.horizon = horizon;
  options.epsilon = 1e-11;
  return solve_exact(pomdp, options).value;
}

TEST(ValueFunction, TheBestOfAllActionsIsTheValue) {
  for (int seed = 0; seed < 10; ++seed) {
    const auto pomdp = shared(random_pomdp(seed, 2 + seed % 3, 3, 2, 0.9));
    const ValueFunction value = solved(pomdp, 5);
    for (const auto& belief : some_beliefs(pomdp->state_count(), 20)) {
      const auto q = value.q(belief);
      const auto best = std::max_element(q.begin(), q.end());
      EXPECT_NEAR(*best, value.value(belief), 1e-10);
      EXPECT_NEAR(q[static_cast<std::size_t>(value.action(belief))], *best, 1e-10);
    }
  }
}

TEST(ValueFunction, WithoutAHorizonTheyDifferByNoMoreThanTheLastChange) {
  const auto pomdp = shared(tiger(0.95));
  const auto summary = solve_exact(pomdp, {});
  for (const auto& belief : some_beliefs(2, 50)) {
    const auto q = summary.value.q(belief);
    EXPECT_NEAR(*std::max_element(q.begin(), q.end()), summary.value.value(belief),
                std::max(-summary.lowest_change, summary.highest_change) + 1e-6);
  }
}

// What an action is worth by trying everything after it.
TEST(ValueFunction, QIsDoingThatOnceAndTheBestFromThenOn) {
  const auto pomdp = shared(random_pomdp(3, 3, 3, 2, 0.9));
  const ValueFunction value = solved(pomdp, 4);
  for (const auto& belief : some_beliefs(3, 5)) {
    for (int a = 0; a < 3; ++a) {
      double expected = 0.0;
      for (std::size_t s = 0; s < 3; ++s) expected += belief[s] * pomdp->gain(a, static_cast<int>(s));
      std::vector<double> joint(6);
      joint_outcomes(*pomdp, a, belief, joint);
      for (std::size_t z = 0; z < 2; ++z) {
        std::vector<double> next(joint.begin() + 3 * z, joint.begin() + 3 * z + 3);
        const double probability = next[0] + next[1] + next[2];
        for (double& b : next) b /= probability;
        expected += 0.9 * probability * expectimax(*pomdp, next, 3);
      }
      EXPECT_NEAR(value.q(belief, a), expected, 1e-10);
    }
  }
}

TEST(ValueFunction, AnActionThatIsNeverBestHasAFiniteValue) {
  Pomdp pomdp = diag_problem();
  pomdp.reward = {0.0, 0.0, 0.25, -0.375, -5.0, -5.0};  // nobody would declare disease at this price
  const ValueFunction value = solved(shared(pomdp), 25);
  for (const int action : value.vectors().actions) EXPECT_NE(action, 2);
  EXPECT_DOUBLE_EQ(value.q(std::vector{0.2, 0.8}, 2), -5.0);
  EXPECT_GT(value.value(std::vector{0.2, 0.8}), -5.0);
}

TEST(ValueFunction, AnImpossibleOutcomeCountsNothing) {
  Pomdp pomdp = tiger(0.9);
  pomdp.observation = {1, 0, 0, 1, 1, 0,
                       1, 0, 1, 0, 1, 0};  // listening never errs; after opening z1 is impossible
  const ValueFunction value = solved(shared(pomdp), 3);
  for (const auto& belief : some_beliefs(2, 10)) {
    for (const double q : value.q(belief)) EXPECT_TRUE(std::isfinite(q));
    EXPECT_NEAR(value.value(belief), expectimax(pomdp, belief, 3), 1e-10);
  }
}

}  // namespace
}  // namespace interpole::planning
