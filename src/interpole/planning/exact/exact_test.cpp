#include "interpole/planning/exact/exact.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/base/stops_after_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

using testing::diag_problem;
using ::testing::ElementsAre;
using testing::expectimax;
using ::testing::HasSubstr;
using testing::random_pomdp;
using testing::shared;
using testing::some_beliefs;
using testing::tiger;

ExactOptions with_horizon(int horizon, bool lines = true) {
  ExactOptions options;
  options.horizon = horizon;
  options.epsilon = 1e-11;
  options.lines_for_two_states = lines;
  return options;
}

void expect_expectimax(const Pomdp& pomdp, int horizon, bool lines) {
  const auto summary = solve_exact(shared(pomdp), with_horizon(horizon, lines));
  ASSERT_TRUE(summary.converged);
  EXPECT_LE(summary.error_bound, 1e-11);
  for (const auto& belief : some_beliefs(pomdp.state_count(), 20)) {
    EXPECT_NEAR(summary.value.value(belief), expectimax(pomdp, belief, horizon), 1e-10) << horizon;
  }
}

// The value of every policy tree of some depth, one vector each.
std::vector<std::vector<double>> all_policy_trees(const Pomdp& pomdp, int depth) {
  const std::size_t S = pomdp.states.size();
  const std::size_t Z = pomdp.observations.size();
  if (depth == 0) return {std::vector<double>(S, 0.0)};
  const auto subtrees = all_policy_trees(pomdp, depth - 1);
  std::vector<std::vector<double>> trees;
  std::vector<std::size_t> choice(Z, 0);
  for (bool more = true; more;) {
    for (int a = 0; a < pomdp.action_count(); ++a) {
      std::vector<double> value(S);
      for (std::size_t s = 0; s < S; ++s) {
        value[s] = pomdp.gain(a, static_cast<int>(s));
        for (std::size_t to = 0; to < S; ++to) {
          for (std::size_t z = 0; z < Z; ++z) {
            value[s] += pomdp.discount * pomdp.transition[(a * S + s) * S + to] *
                        pomdp.observation[(a * S + to) * Z + z] * subtrees[choice[z]][to];
          }
        }
      }
      trees.push_back(value);
    }
    std::size_t digit = 0;
    while (digit < Z && ++choice[digit] == subtrees.size()) choice[digit++] = 0;
    more = digit < Z;
  }
  return trees;
}

TEST(Exact, TigerMatchesEveryPolicyTreeOfThreeSteps) {
  const Pomdp pomdp = tiger(0.95);
  const auto trees = all_policy_trees(pomdp, 3);
  ASSERT_EQ(trees.size(), 2187U);
  for (const bool lines : {true, false}) {
    const auto summary = solve_exact(shared(pomdp), with_horizon(3, lines));
    for (const auto& belief : some_beliefs(2, 50)) {
      double best = -INFINITY;
      for (const auto& tree : trees) best = std::max(best, expectation(tree, belief));
      EXPECT_NEAR(summary.value.value(belief), best, 1e-10);
    }
  }
}

TEST(Exact, TigerMatchesExpectimaxAtEveryShortHorizon) {
  for (const double discount : {0.75, 0.95, 1.0}) {
    for (int horizon = 0; horizon <= 5; ++horizon) {
      expect_expectimax(tiger(discount), horizon, true);
      expect_expectimax(tiger(discount), horizon, false);
    }
  }
}

TEST(Exact, RandomProblemsMatchExpectimax) {
  for (int seed = 0; seed < 12; ++seed) {
    const int states = 1 + seed % 4;
    const Pomdp pomdp = random_pomdp(seed, states, 1 + seed % 3, 1 + (seed / 2) % 3, 0.9);
    for (int horizon = 1; horizon <= 4; ++horizon) expect_expectimax(pomdp, horizon, seed % 2 == 0);
  }
}

TEST(Exact, OneStepIsTheBestGain) {
  const auto summary = solve_exact(shared(tiger(0.95)), with_horizon(1));
  EXPECT_DOUBLE_EQ(summary.value.value(std::vector{0.5, 0.5}), -1.0);
  EXPECT_DOUBLE_EQ(summary.value.value(std::vector{1.0, 0.0}), 10.0);
  EXPECT_EQ(summary.value.action(std::vector{1.0, 0.0}), 2);
  EXPECT_EQ(summary.value.action(std::vector{0.5, 0.5}), 0);
}

TEST(Exact, NoStepIsWorthNothingAndDecidesNothing) {
  const auto summary = solve_exact(shared(tiger(0.95)), with_horizon(0));
  EXPECT_EQ(summary.stages, 0);
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.value.value(std::vector{0.3, 0.7}), 0.0);
  EXPECT_EQ(summary.value.action(std::vector{0.3, 0.7}), kNoAction);
  EXPECT_THAT(summary.value.q(std::vector{0.3, 0.7}), ElementsAre(0.0, 0.0, 0.0));
}

// The optimal plan at discount 0.75, by hand. Listen, and again while the two sides balance; open once one
// side leads by two; then all begins anew. Its values solve linear equations that know nothing of vectors or
// beliefs: x is a fresh start, y(s), n(s) have heard the tiger's true side once more or once less often than
// the other. With p = 0.85, γ = 0.75, and after opening γ x (the tiger is placed anew, and what is heard then
// is noise):
//   x = −1 + γ (p y + (1−p) n),  y = −1 + γ (p (10 + γ x) + (1−p) x),  n = −1 + γ (p x + (1−p)(−100 + γ x))
double tiger_value_of_leading_by_two(double discount) {
  const double p = 0.85;
  const double g = discount;
  const double constant_y = -1 + g * p * 10;
  const double slope_y = g * (p * g + (1 - p));
  const double constant_n = -1 - g * (1 - p) * 100;
  const double slope_n = g * (p + (1 - p) * g);
  const double constant = -1 + g * (p * constant_y + (1 - p) * constant_n);
  const double slope = g * (p * slope_y + (1 - p) * slope_n);
  return constant / (1 - slope);
}

TEST(Exact, TigerWithoutEndIsWorthItsBestPlanByHand) {
  for (const double discount : {0.75, 0.95}) {
    for (const bool lines : {true, false}) {
      ExactOptions options;
      options.epsilon = lines ? 1e-9 : 1e-5;
      options.lines_for_two_states = lines;
      const auto summary = solve_exact(shared(tiger(discount)), options);
      ASSERT_TRUE(summary.converged);
      EXPECT_LE(summary.error_bound, options.epsilon);
      const double by_hand = tiger_value_of_leading_by_two(discount);
      EXPECT_NEAR(summary.value.value(std::vector{0.5, 0.5}), by_hand, options.epsilon) << discount;
    }
  }
}

TEST(Exact, TigerWithoutEndHasFewVectors) {
  EXPECT_LE(solve_exact(shared(tiger(0.75)), {}).value.vectors().size(), 9U);
  EXPECT_LE(solve_exact(shared(tiger(0.95)), {}).value.vectors().size(), 13U);
}

TEST(Exact, ALongHorizonComesToNoHorizon) {
  const Pomdp pomdp = random_pomdp(5, 2, 3, 2, 0.8);
  const auto endless = solve_exact(shared(pomdp), {});
  const auto finite = solve_exact(shared(pomdp), with_horizon(100));
  for (const auto& belief : some_beliefs(2, 20)) {
    EXPECT_NEAR(endless.value.value(belief), finite.value.value(belief), 2e-6);
  }
}

TEST(Exact, LinesAndProgramsAgreeForTwoStates) {
  for (int seed = 0; seed < 20; ++seed) {
    const auto pomdp = shared(random_pomdp(100 + seed, 2, 2 + seed % 2, 2 + seed % 3, 0.9));
    const auto lines = solve_exact(pomdp, with_horizon(5, true));
    const auto programs = solve_exact(pomdp, with_horizon(5, false));
    EXPECT_EQ(lines.programs, 0);
    for (const auto& belief : some_beliefs(2, 50)) {
      EXPECT_NEAR(lines.value.value(belief), programs.value.value(belief), 1e-10);
    }
  }
}

TEST(Exact, ValueIsConvex) {
  const auto summary = solve_exact(shared(random_pomdp(3, 3, 3, 2, 0.9)), with_horizon(6));
  const auto beliefs = some_beliefs(3, 30);
  for (std::size_t i = 0; i + 1 < beliefs.size(); ++i) {
    std::vector<double> middle(3);
    for (std::size_t s = 0; s < 3; ++s) middle[s] = 0.5 * (beliefs[i][s] + beliefs[i + 1][s]);
    const double mean = 0.5 * (summary.value.value(beliefs[i]) + summary.value.value(beliefs[i + 1]));
    EXPECT_LE(summary.value.value(middle), mean + 1e-12);
  }
}

TEST(Exact, EveryVectorKeptIsBestSomewhere) {
  const auto summary = solve_exact(shared(random_pomdp(9, 3, 3, 2, 0.9)), with_horizon(5));
  const AlphaVectors& vectors = summary.value.vectors();
  EXPECT_GT(vectors.size(), 2U);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (std::size_t j = 0; j < vectors.size(); ++j) {
      bool below = i != j;
      for (std::size_t s = 0; s < 3; ++s) below = below && vectors.row(i)[s] <= vectors.row(j)[s];
      EXPECT_FALSE(below) << i << " lies below " << j;
    }
  }
}

TEST(Exact, TerminalActionsEndTheProcess) {
  const Pomdp pomdp = diag_problem();
  for (int horizon = 1; horizon <= 8; ++horizon) expect_expectimax(pomdp, horizon, true);
  // Declaring is worth its reward, and monitoring for ever nothing.
  const auto summary = solve_exact(shared(pomdp), with_horizon(25));
  EXPECT_NEAR(summary.value.value(std::vector{1.0, 0.0}), 0.25, 1e-15);
  EXPECT_EQ(summary.value.action(std::vector{1.0, 0.0}), 1);
  EXPECT_EQ(summary.value.action(std::vector{0.5, 0.5}), 0);
  EXPECT_EQ(summary.value.action(std::vector{0.0, 1.0}), 2);
}

TEST(Exact, AnEndStateIsWorthAsMuchAsTerminalActions) {
  const Pomdp ends = diag_problem();
  const Pomdp absorbed = with_end_state(ends);
  ASSERT_EQ(absorbed.state_count(), 3);
  const auto two = solve_exact(shared(ends), with_horizon(10));
  const auto three = solve_exact(shared(absorbed), with_horizon(10));
  EXPECT_GT(three.programs, 0);
  for (const auto& belief : some_beliefs(2, 30)) {
    const std::vector<double> longer = {belief[0], belief[1], 0.0};
    EXPECT_NEAR(two.value.value(belief), three.value.value(longer), 1e-10);
    EXPECT_EQ(two.value.action(belief), three.value.action(longer));
  }
}

TEST(Exact, CostsAreRewardsNegated) {
  Pomdp rewards = tiger(0.9);
  Pomdp costs = rewards;
  costs.goal = Goal::kCost;
  for (double& cost : costs.reward) cost = -cost;
  EXPECT_EQ(solve_exact(shared(rewards), with_horizon(6)).value.vectors(),
            solve_exact(shared(costs), with_horizon(6)).value.vectors());
}

TEST(Exact, OneStateIsADiscountedSum) {
  const auto summary = solve_exact(shared(random_pomdp(4, 1, 3, 2, 0.5)), {});
  const Pomdp& pomdp = summary.value.pomdp();
  const double best = std::max({pomdp.reward[0], pomdp.reward[1], pomdp.reward[2]});
  EXPECT_NEAR(summary.value.value(std::vector{1.0}), best / (1 - 0.5), 1e-6);
  EXPECT_EQ(summary.value.vectors().size(), 1U);
}

TEST(Exact, OneActionLeavesOneVector) {
  const auto summary = solve_exact(shared(random_pomdp(4, 3, 1, 3, 0.9)), with_horizon(6));
  EXPECT_EQ(summary.value.vectors().size(), 1U);
}

TEST(Exact, WithoutDiscountedFutureOneStageIsEnough) {
  const auto summary = solve_exact(shared(tiger(0.0)), {});
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.stages, 1);
  EXPECT_DOUBLE_EQ(summary.value.value(std::vector{0.5, 0.5}), -1.0);
}

TEST(Exact, AnotherProblemsValuesSaveStages) {
  const auto cold = solve_exact(shared(tiger(0.95)), {});
  Pomdp changed = tiger(0.95);
  changed.reward[0] -= 0.001;
  changed.reward[1] -= 0.001;
  ExactOptions options;
  options.start = cold.value.vectors();
  const auto warm = solve_exact(shared(changed), options);
  const auto again = solve_exact(shared(changed), {});
  EXPECT_TRUE(warm.converged);
  EXPECT_LT(warm.stages, again.stages);
  for (const auto& belief : some_beliefs(2, 20)) {
    EXPECT_NEAR(warm.value.value(belief), again.value.value(belief), 2e-6);
  }
}

TEST(Exact, StagesCanBeAddedLater) {
  const auto pomdp = shared(random_pomdp(8, 3, 2, 2, 0.9));
  const auto three = solve_exact(pomdp, with_horizon(3));
  ExactOptions options = with_horizon(2);
  options.start = three.value.vectors();
  const auto five = solve_exact(pomdp, options);
  const auto at_once = solve_exact(pomdp, with_horizon(5));
  for (const auto& belief : some_beliefs(3, 20)) {
    EXPECT_NEAR(five.value.value(belief), at_once.value.value(belief), 1e-10);
  }
}

TEST(Exact, TheBoundHoldsEvenAtACoarseEpsilon) {
  for (int seed = 0; seed < 4; ++seed) {
    const auto pomdp = shared(random_pomdp(seed, 3, 2, 2, 0.8));
    ExactOptions coarse;
    coarse.epsilon = 0.05;
    const auto rough = solve_exact(pomdp, coarse);
    ExactOptions fine;
    fine.epsilon = 1e-4;
    const auto good = solve_exact(pomdp, fine);
    ASSERT_TRUE(rough.converged && good.converged);
    EXPECT_LE(rough.stages, good.stages);
    for (const auto& belief : some_beliefs(3, 30)) {
      EXPECT_NEAR(rough.value.value(belief), good.value.value(belief), rough.error_bound + good.error_bound);
    }
  }
}

TEST(Exact, ManyThreadsGetTheSameBits) {
  const auto pomdp = shared(random_pomdp(2, 4, 3, 3, 0.95));
  const auto alone = solve_exact(pomdp, with_horizon(3));
  std::vector<AlphaVectors> results(8);
  base::parallel_tasks(8, 4, [&](int i) {
    results[static_cast<std::size_t>(i)] = solve_exact(pomdp, with_horizon(3)).value.vectors();
  });
  for (const auto& result : results) EXPECT_EQ(result, alone.value.vectors());
  EXPECT_GT(alone.programs, 0);
}

TEST(Exact, LimitsReturnWhatWasReached) {
  ExactOptions options = with_horizon(30);
  options.most_vectors = 20;
  const auto summary = solve_exact(shared(random_pomdp(2, 4, 3, 3, 0.95)), options);
  EXPECT_FALSE(summary.converged);
  EXPECT_EQ(summary.stop, PlanStop::kVectors);
  EXPECT_GT(summary.stages, 0);
  EXPECT_LT(summary.stages, 30);
  for (const auto& belief : some_beliefs(4, 3)) {
    EXPECT_NEAR(summary.value.value(belief), expectimax(summary.value.pomdp(), belief, summary.stages), 1e-9);
  }
}

TEST(Exact, StopsWhenAsked) {
  base::StopsAfter sink(0);
  const auto summary = solve_exact(shared(tiger(0.95)), {}, sink);
  EXPECT_EQ(summary.stop, PlanStop::kInterrupted);
  EXPECT_FALSE(summary.converged);
  EXPECT_TRUE(std::isfinite(summary.error_bound));
}

void expect_exact_refused(const ExactOptions& options, double discount, const char* message) {
  EXPECT_THAT(base::complaint_of([&] { solve_exact(shared(tiger(discount)), options); }, ErrorKind::kUsage),
              HasSubstr(message));
}

TEST(Exact, RefusesOptionsThatMakeNoSense) {
  expect_exact_refused(with_horizon(-1), 0.9, "a horizon of -1 stages; it must not be negative");
  expect_exact_refused({}, 1.0, "a discount of 1 without a horizon has no finite value");
  ExactOptions options;
  options.epsilon = 0.0;
  expect_exact_refused(options, 0.9, "epsilon is 0; it must be a number above 0");
  options = {};
  options.start = AlphaVectors::zero(3);
  expect_exact_refused(options, 0.9, "the value to start from has 3 states, the problem 2");
}

}  // namespace
}  // namespace interpole::planning
