#include "interpole/planning/fixed_points/differentiable_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "interpole/error.hpp"
#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/fixed_points/fixed_points.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

// Any beliefs will do: they do not matter for what is tested.
BeliefTable drawn_beliefs(int states, int count, std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<double> beliefs;
  for (int i = 0; i < count; ++i) {
    double sum = 0.0;
    for (int s = 0; s < states; ++s) {
      beliefs.push_back(random.gamma(1.0));
      sum += beliefs.back();
    }
    for (std::size_t s = beliefs.size() - states; s < beliefs.size(); ++s) beliefs[s] /= sum;
  }
  return BeliefTable::of(beliefs, states);
}

std::vector<double> some_weights(std::size_t count, std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<double> weights(count);
  for (double& w : weights) w = random.normal();
  return weights;
}

// Three states, three actions of which the last ends the process, and an outcome that the first cannot yield.
Pomdp three_states() {
  Structure structure = Structure::unrestricted({"a", "b", "c"}, {"look", "treat", "stop"}, {"x", "y", "z"});
  structure.make_terminal(2);
  structure.allowed[2] = 0;
  Dynamics dynamics{{0.4, 0.3, 0.3}, {}, {}};
  dynamics.transition = {0.9, 0.1, 0,   0.05, 0.85, 0.1, 0, 0.1, 0.9, 0.7, 0.2, 0.1, 0.5, 0.4,
                         0.1, 0.2, 0.3, 0.5,  1,    0,   0, 0,   1,   0,   0,   0,   1};
  dynamics.observation = {0.7, 0.3, 0,   0.4, 0.6, 0, 0.1, 0.9, 0, 0.5, 0.3, 0.2, 0.3, 0.4,
                          0.3, 0.2, 0.2, 0.6, 0,   0, 0,   0,   0, 0,   0,   0,   0};
  const std::vector<double> rewards = {-0.1, -0.13, -0.2, 0.2, -0.3, -0.6, 1.0, -0.4, -1.3};
  return pomdp_of(structure, dynamics, rewards, 0.9);
}

using Planner = std::function<DifferentiablePlan(const Pomdp&)>;

double weighted_q(const Planner& plan, const Pomdp& pomdp, const BeliefTable& beliefs,
                  const std::vector<double>& weights) {
  const TracedWorth worth = plan(pomdp).worth(beliefs);
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * worth.q[i];
  return sum;
}

// Every number of the problem by itself, also where rows no longer sum to one: derivatives are taken so.
void expect_differences_agree(const Planner& plan, const Pomdp& pomdp, double tolerance) {
  const BeliefTable beliefs = drawn_beliefs(pomdp.state_count(), 7, 3);
  const std::vector<double> weights = some_weights(7 * pomdp.actions.size(), 4);
  const DifferentiablePlan traced = plan(pomdp);
  PomdpGradient gradient = PomdpGradient::zero(pomdp);
  traced.pull_back(beliefs, traced.worth(beliefs), weights, gradient);
  const auto check = [&](std::vector<double> Pomdp::*field, const std::vector<double>& found) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      if ((pomdp.*field)[i] == 0.0) continue;  // cannot happen, and is not to be learned
      constexpr double kStep = 1e-6;
      Pomdp above = pomdp;
      (above.*field)[i] += kStep;
      Pomdp below = pomdp;
      (below.*field)[i] -= kStep;
      const double difference =
          (weighted_q(plan, above, beliefs, weights) - weighted_q(plan, below, beliefs, weights)) /
          (2.0 * kStep);
      EXPECT_NEAR(found[i], difference, tolerance * std::max(1.0, std::abs(difference))) << "number " << i;
    }
  };
  check(&Pomdp::reward, gradient.reward);
  check(&Pomdp::transition, gradient.transition);
  check(&Pomdp::observation, gradient.observation);
}

DifferentiablePlan at_points(const Pomdp& pomdp) {
  return {std::make_shared<const Pomdp>(pomdp), 12, drawn_beliefs(pomdp.state_count(), 40, 9)};
}

DifferentiablePlan by_lines(const Pomdp& pomdp) {
  return {std::make_shared<const Pomdp>(pomdp), 12, 1e-9};
}

TEST(DifferentiablePlan, IsWorthWhatAnExactPlanIs) {
  for (const Pomdp& pomdp : {testing::diag_problem(), testing::tiger(0.95)}) {
    const auto shared = std::make_shared<const Pomdp>(pomdp);
    const BeliefTable beliefs = drawn_beliefs(2, 50, 1);
    const ValueFunction exact = solve_exact(shared, {.horizon = 12, .epsilon = 1e-9, .start = {}}).value;
    const std::vector<double> q = q_table(pomdp, exact.next(), beliefs);
    const TracedWorth worth = DifferentiablePlan(shared, 12, 1e-9).worth(beliefs);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(worth.q[i], q[i], 1e-8);
  }
}

TEST(DifferentiablePlan, IsWorthWhatAPlanAtTheSamePointsIs) {
  const Pomdp pomdp = three_states();
  const BeliefTable points = drawn_beliefs(3, 40, 9);
  const ValueFunction plain = solve_at_points(std::make_shared<const Pomdp>(pomdp), 12, points);
  const BeliefTable beliefs = drawn_beliefs(3, 50, 1);
  const std::vector<double> q = q_table(pomdp, plain.next(), beliefs);
  const TracedWorth worth = at_points(pomdp).worth(beliefs);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(worth.q[i], q[i], 1e-12);
}

TEST(DifferentiablePlan, SlopesAreThoseOfQ) {
  const Pomdp pomdp = three_states();
  const BeliefTable beliefs = drawn_beliefs(3, 20, 2);
  const TracedWorth worth = at_points(pomdp).worth(beliefs);
  for (std::size_t s = 0; s < 3; ++s) {
    BeliefTable moved = beliefs;
    for (std::size_t i = 0; i < 20; ++i) moved.by_state[s * 20 + i] += 1e-7;
    const TracedWorth there = at_points(pomdp).worth(moved);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_NEAR(worth.slopes[(a * 3 + s) * 20 + i], (there.q[a * 20 + i] - worth.q[a * 20 + i]) / 1e-7,
                    1e-6);
      }
    }
  }
}

TEST(DifferentiablePlan, GradientAgreesWithDifferencesForTwoStates) {
  expect_differences_agree(by_lines, testing::diag_problem(), 1e-4);
  expect_differences_agree(by_lines, testing::tiger(0.9), 1e-4);
}

TEST(DifferentiablePlan, GradientAgreesWithDifferencesAtPoints) {
  expect_differences_agree(at_points, three_states(), 1e-5);
  Pomdp costs = three_states();
  costs.goal = Goal::kCost;
  expect_differences_agree(at_points, costs, 1e-5);
}

TEST(DifferentiablePlan, OneStageOwesNothingToDynamics) {
  const Pomdp pomdp = testing::diag_problem();
  const DifferentiablePlan plan(std::make_shared<const Pomdp>(pomdp), 1, 1e-9);
  const BeliefTable beliefs = drawn_beliefs(2, 3, 3);
  PomdpGradient gradient = PomdpGradient::zero(pomdp);
  plan.pull_back(beliefs, plan.worth(beliefs), some_weights(9, 1), gradient);
  for (const double x : gradient.transition) EXPECT_EQ(x, 0.0);
  for (const double x : gradient.observation) EXPECT_EQ(x, 0.0);
  EXPECT_NE(gradient.reward[0], 0.0);
}

TEST(DifferentiablePlan, RefusesLinesForThreeStates) {
  EXPECT_THROW(DifferentiablePlan(std::make_shared<const Pomdp>(three_states()), 5, 1e-6), Error);
}

}  // namespace
}  // namespace interpole::planning
