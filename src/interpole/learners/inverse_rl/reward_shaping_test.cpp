#include "interpole/learners/inverse_rl/reward_shaping.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learners/inverse_rl/reward_agent.hpp"

namespace interpole::learners {
namespace {

std::vector<double> some_numbers(std::size_t count, std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<double> numbers(count);
  for (double& x : numbers) x = random.normal();
  return numbers;
}

struct ShapingProblem {
  Structure structure;
  Dynamics dynamics;

  explicit ShapingProblem(bool with_end) {
    structure = with_end ? testing::some_structure(3, 3, 2)
                         : Structure::unrestricted({"a", "b", "c"}, {"x", "y", "z"}, {"0", "1"});
    base::RandomStream random(3);
    dynamics = testing::random_parameters(structure, random).dynamics;
  }
};

TEST(RewardShaping, GoesToCoordinatesAndBack) {
  for (const bool with_end : {false, true}) {
    const ShapingProblem problem(with_end);
    const RewardShaping shaping(problem.structure, 0.9);
    const std::vector<double> rewards = some_numbers(9, 1);
    const auto back = shaping.rewards(problem.dynamics, shaping.coordinates(problem.dynamics, rewards));
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(back[i], rewards[i], 1e-12);
  }
}

// What φ is said to be: something no decision shows. 200 stages, of which 0.9^200 is left.
TEST(RewardShaping, DecisionsDoNotShowPhi) {
  for (const bool with_end : {false, true}) {
    const ShapingProblem problem(with_end);
    const RewardShaping shaping(problem.structure, 0.9);
    const std::vector<double> beliefs = {0.3, 0.3, 0.4, 0.8, 0.1, 0.1, 0.0, 0.1, 0.9};
    const RewardAgent agent{problem.structure, 2.0, 0.9, 200, planning::BeliefTable::of(beliefs, 3)};
    const auto policies = [&](const std::vector<double>& x) {
      return softmax_policies(agent.points, 2.0,
                              agent.plan(problem.dynamics, shaping.rewards(problem.dynamics, x)));
    };
    const std::vector<double> x = some_numbers(9, 2);
    std::vector<double> other_phi = x;
    for (std::size_t s = 0; s < 3; ++s) other_phi[s] += 3.0 - 2.0 * static_cast<double>(s);
    std::vector<double> other_rho = x;
    other_rho[4] += 1.0;
    const auto here = policies(x);
    double changed = 0.0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      EXPECT_NEAR(policies(other_phi)[i], here[i], 1e-6);
      changed = std::max(changed, std::abs(policies(other_rho)[i] - here[i]));
    }
    EXPECT_GT(changed, 0.01);
  }
}

// f(r, T) = Σ w r + log |∂r/∂x|, by differences in every coordinate and every entry of T.
TEST(RewardShaping, GradientAgreesWithDifferences) {
  for (const bool with_end : {false, true}) {
    const ShapingProblem problem(with_end);
    const RewardShaping shaping(problem.structure, 0.9);
    const std::vector<double> weights = some_numbers(9, 4);
    const auto value = [&](const Dynamics& dynamics, const std::vector<double>& x) {
      std::vector<double> unused(9);
      Dynamics none = Dynamics::filled(problem.structure, 0.0);
      double sum = shaping.pull_back(dynamics, x, std::vector<double>(9, 0.0), unused, none);
      const std::vector<double> rewards = shaping.rewards(dynamics, x);
      for (std::size_t i = 0; i < 9; ++i) sum += weights[i] * rewards[i];
      return sum;
    };
    std::vector<double> x = some_numbers(9, 5);
    std::vector<double> d_x(9, 0.0);
    Dynamics by_dynamics = Dynamics::filled(problem.structure, 0.0);
    shaping.pull_back(problem.dynamics, x, weights, d_x, by_dynamics);
    constexpr double kStep = 1e-6;
    for (std::size_t i = 0; i < 9; ++i) {
      std::vector<double> above = x;
      above[i] += kStep;
      EXPECT_NEAR(d_x[i], (value(problem.dynamics, above) - value(problem.dynamics, x)) / kStep, 1e-6);
    }
    for (std::size_t i = 0; i < by_dynamics.transition.size(); ++i) {
      Dynamics above = problem.dynamics;
      above.transition[i] += kStep;
      Dynamics below = problem.dynamics;
      below.transition[i] -= kStep;
      EXPECT_NEAR(by_dynamics.transition[i], (value(above, x) - value(below, x)) / (2.0 * kStep), 1e-6);
    }
  }
}

// |∂r/∂x| itself, by the volume that unit steps span.
TEST(RewardShaping, KnowsItsJacobian) {
  const Structure structure = Structure::unrestricted({"a", "b"}, {"x", "y"}, {"0", "1"});
  const Dynamics dynamics{{0.5, 0.5}, {0.9, 0.1, 0.3, 0.7, 0.5, 0.5, 0.5, 0.5}, std::vector<double>(8, 0.5)};
  const RewardShaping shaping(structure, 0.9);
  std::vector<double> unused(4);
  Dynamics none = Dynamics::filled(structure, 0.0);
  // det(I − 0.9 T) = 0.19 · 0.37 − 0.09 · 0.27 = 0.046, and ρ is added as it is.
  EXPECT_NEAR(
      shaping.pull_back(dynamics, std::vector<double>(4, 0.0), std::vector<double>(4, 0.0), unused, none),
      std::log(0.046), 1e-12);
}

// By its definition: the log-density of the rewards, Normal(0, sd²) each, has changed by as much as it says;
// and drawn again and again, φ has the mean at which that density is highest.
TEST(RewardShaping, RedrawsPhiFromItsPriorGivenRho) {
  const ShapingProblem problem(true);
  const RewardShaping shaping(problem.structure, 0.9);
  constexpr double kSd = 2.0;
  const auto log_density = [&](const std::vector<double>& x) {
    double sum = 0.0;
    for (const double r : shaping.rewards(problem.dynamics, x)) sum -= 0.5 * (r / kSd) * (r / kSd);
    return sum;
  };
  const std::vector<double> start = some_numbers(9, 6);
  std::vector<double> x = start;
  std::vector<double> mean = start;
  std::fill_n(mean.begin(), 3, 0.0);
  base::RandomStream random(8);
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    const double before = log_density(x);
    const double change = shaping.redraw(problem.dynamics, kSd, random, x);
    ASSERT_NEAR(change, log_density(x) - before, 1e-9);
    for (std::size_t s = 0; s < 3; ++s) mean[s] += x[s] / kDraws;
  }
  for (std::size_t i = 3; i < 9; ++i) EXPECT_EQ(x[i], start[i]);
  for (std::size_t s = 0; s < 3; ++s) {
    // φ is some 2 wide, its mean over the draws 0.03: a step of 1 leads away from the best.
    for (const double step : {-1.0, 1.0}) {
      std::vector<double> moved = mean;
      moved[s] += step;
      EXPECT_LT(log_density(moved), log_density(mean));
    }
  }
}

TEST(RewardShaping, TakesADiscountOfOne) {
  const ShapingProblem problem(false);
  const RewardShaping shaping(problem.structure, 1.0);
  const std::vector<double> rewards = some_numbers(9, 1);
  const auto back = shaping.rewards(problem.dynamics, shaping.coordinates(problem.dynamics, rewards));
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(back[i], rewards[i], 1e-10);
}

}  // namespace
}  // namespace interpole::learners
