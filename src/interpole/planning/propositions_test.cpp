// The counterexample in the proof of the paper's Proposition 1: differentiating optimal q-values by a
// parameter of the dynamics leads to a "reward" ρ that is not convex in the belief, so planners cannot be
// used on it.

#include <gmock/gmock.h>

#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

// Two states that keep with probability p, one action, a test that errs in three of four cases.
Pomdp counterexample(double p) {
  const auto structure = Structure::unrestricted({"s-", "s+"}, {"a="}, {"z-", "z+"});
  Dynamics dynamics;
  dynamics.initial = {0.5, 0.5};
  dynamics.transition = {p, 1 - p, 1 - p, p};
  dynamics.observation = {0.25, 0.75, 0.75, 0.25};
  return pomdp_of(structure, dynamics, std::vector{0.0, 0.5}, 0.5);
}

// ρ(b) = ∂ gain/∂p + γ Σ_z v*(b'_z) ∂Pr(z|b)/∂p at p = 1. The gain does not depend on p; Pr(z|b) is linear in
// p, so a difference quotient of any width is its derivative.
double rho(const ValueFunction& value, double b) {
  const std::vector<double> belief = {1 - b, b};
  std::vector<double> at_one(4);
  std::vector<double> below(4);
  joint_outcomes(counterexample(1.0), 0, belief, at_one);
  joint_outcomes(counterexample(0.5), 0, belief, below);
  double sum = 0.0;
  for (std::size_t z = 0; z < 2; ++z) {
    const double probability = at_one[2 * z] + at_one[2 * z + 1];
    const double slope = (probability - below[2 * z] - below[2 * z + 1]) / 0.5;
    const std::vector<double> next = {at_one[2 * z] / probability, at_one[2 * z + 1] / probability};
    sum += value.value(next) * slope;
  }
  return 0.5 * sum;
}

TEST(Proposition1, TheDerivativesRewardIsNotConvex) {
  ExactOptions options;
  options.epsilon = 1e-12;
  const auto summary = solve_exact(testing::shared(counterexample(1.0)), options);
  ASSERT_TRUE(summary.converged);
  for (const double b : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(summary.value.value(std::vector{1 - b, b}), b, 1e-11);  // v*(b) = b, says the paper
  }
  EXPECT_NEAR(rho(summary.value, 0.5), 0.0, 1e-11);
  EXPECT_NEAR(rho(summary.value, 1.0), 0.0, 1e-11);
  EXPECT_NEAR(rho(summary.value, 0.75), 0.05, 1e-11);  // ½ (½ · −¼ + 9/10 · ¼): above the line between them
}

}  // namespace
}  // namespace interpole::planning
