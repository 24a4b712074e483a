#include "interpole/model/term_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/model/pull_back_testing.hpp"

namespace interpole::model {
namespace {

Structure clinic() {
  Structure structure = Structure::unrestricted({"well", "ill"}, {"wait", "test", "treat"}, {"low", "high"});
  structure.make_terminal(2);
  return structure;
}

PolicyTerms every_term(const Structure& structure, double value) {
  PolicyTerms terms;
  terms.inertia = terms.lapse = value;
  terms.covariates = {{"ward", {"north", "south", "west"}}, {"age", {}, 60.0, 10.0}};
  terms.additive = {term_filled(structure, terms, TermKind::kHabit, value),
                    term_filled(structure, terms, TermKind::kTime, value, -1, 4),
                    term_filled(structure, terms, TermKind::kResultMissing, value),
                    term_filled(structure, terms, TermKind::kGroup, value, 0),
                    term_filled(structure, terms, TermKind::kContext, value, 1)};
  return terms;
}

TEST(TermSpace, CountsOnlyWhatIsFree) {
  const Structure structure = clinic();
  const TermSpace space(structure, every_term(structure, NAN));
  // Two shares; habit over two actions that can be last, time over four steps, one level missing, three
  // wards, one number: each with two free actions of three.
  EXPECT_EQ(space.size(), 2 + 2 * ((2 - 1) + (4 - 1) + 1 + (3 - 1) + 1));
  EXPECT_EQ(static_cast<int>(space.names().size()), space.size());
  EXPECT_EQ(TermSpace(structure, PolicyTerms{}).size(), 0);
}

TEST(TermSpace, PointsHaveSumsOfZeroAndComeBack) {
  const Structure structure = clinic();
  const TermSpace space(structure, every_term(structure, NAN));
  base::RandomStream random(5, 0);
  std::vector<double> y(space.size());
  for (double& x : y) x = random.normal();
  const PolicyTerms terms = space.point(y);
  EXPECT_GT(terms.inertia, 0.0);
  EXPECT_LT(terms.inertia + terms.lapse, 1.0);
  for (const PolicyTerm& term : terms.additive) {
    std::vector<double> over_levels(3, 0.0);
    for (std::size_t level = 0; level * 3 < term.weights.size(); ++level) {
      double sum = 0.0;
      for (int a = 0; a < 3; ++a) {
        sum += term.weights[level * 3 + a];
        over_levels[a] += term.weights[level * 3 + a];
      }
      EXPECT_NEAR(sum, 0.0, 1e-14);
    }
    if (!levels_exclude(terms, term)) continue;
    for (const double sum : over_levels) EXPECT_NEAR(sum, 0.0, 1e-14);
  }
  std::vector<double> back(space.size());
  space.coordinates(terms, back);
  for (int i = 0; i < space.size(); ++i) EXPECT_NEAR(back[i], y[i], 1e-12);
}

TEST(TermSpace, ATrendOverTimeGoesFurtherThanSingleSteps) {
  const Structure structure = clinic();
  PolicyTerms known;
  known.additive = {term_filled(structure, known, TermKind::kTime, NAN, -1, 6)};
  const TermSpace space(structure, known);
  // The length of the coordinates of weights of length one.
  const auto length_of = [&](const std::vector<double>& by_step) {
    PolicyTerms terms = space.point(std::vector<double>(space.size(), 0.0));
    double length = 0.0;
    for (std::size_t step = 0; step < by_step.size(); ++step) {
      terms.additive[0].weights[step * 3] = by_step[step];
      terms.additive[0].weights[step * 3 + 2] = -by_step[step];
      length += 2.0 * by_step[step] * by_step[step];
    }
    std::vector<double> y(space.size());
    space.coordinates(terms, y);
    double squares = 0.0;
    for (const double x : y) squares += x * x;
    return std::sqrt(squares / length);
  };
  EXPECT_NEAR(length_of({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}), 0.05, 1e-12);
  EXPECT_NEAR(length_of({1.0, -2.0, 1.0, 1.0, -2.0, 1.0}), 1.0, 1e-12);  // across every straight line
}

TEST(TermSpace, PullBackIsTheDerivative) {
  const Structure structure = clinic();
  const TermSpace space(structure, every_term(structure, NAN));
  base::RandomStream random(6, 0);
  std::vector<double> y(space.size());
  for (double& x : y) x = random.normal();
  PolicyTerms slope = every_term(structure, 0.0);
  slope.inertia = random.normal();
  slope.lapse = random.normal();
  for (PolicyTerm& term : slope.additive) {
    for (double& w : term.weights) w = random.normal();
  }
  const auto value = [&](const std::vector<double>& at) {
    const PolicyTerms terms = space.point(at);
    double sum = slope.inertia * terms.inertia + slope.lapse * terms.lapse;
    for (std::size_t i = 0; i < terms.additive.size(); ++i) {
      for (std::size_t k = 0; k < terms.additive[i].weights.size(); ++k) {
        sum += slope.additive[i].weights[k] * terms.additive[i].weights[k];
      }
    }
    return sum;
  };
  std::vector<double> gradient(space.size(), 0.0);
  space.pull_back(space.point(y), slope, gradient);
  expect_slopes(gradient, y, value);
}

TEST(PolicyTerms, AddUpInAContext) {
  const Structure structure = clinic();
  Policy policy = Policy::filled(structure, 0.5);
  policy.inverse_temperature = 2.0;
  policy.means = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};  // belief says nothing
  policy.terms.additive = {term_filled(structure, policy.terms, TermKind::kHabit, 0.0)};
  policy.terms.additive[0].weights[1 * 3 + 1] = std::log(4.0);  // after a test, another one
  const std::vector<double> belief = {0.3, 0.7};
  const Step tested[] = {{1, 0}};
  EXPECT_NEAR(action_probabilities(structure, policy, belief, context_after(tested))[1], 4.0 / 6.0, 1e-12);
  EXPECT_NEAR(action_probabilities(structure, policy, belief, context_after({}))[1], 1.0 / 3.0, 1e-12);
  policy.terms.inertia = 0.4;
  policy.terms.lapse = 0.3;
  EXPECT_NEAR(action_probabilities(structure, policy, belief, context_after(tested))[1],
              0.3 * 4.0 / 6.0 + 0.4 + 0.1, 1e-12);
  EXPECT_NEAR(action_probabilities(structure, policy, belief, context_after({}))[1], 0.7 / 3.0 + 0.1, 1e-12);
  std::vector<double> logs(3);
  log_action_probabilities(structure, policy, belief, context_after(tested), logs);
  EXPECT_NEAR(std::exp(logs[1]), 0.3 * 4.0 / 6.0 + 0.4 + 0.1, 1e-12);
}

TEST(PolicyTerms, AreRefusedWhereTheyCannotBe) {
  const Structure structure = clinic();
  Policy policy = Policy::filled(structure, 0.5);
  policy.inverse_temperature = 1.0;
  policy.terms = every_term(structure, 0.1);
  EXPECT_NO_THROW(validate_and_normalise(structure, policy, "m.json"));
  policy.terms.lapse = 0.95;
  EXPECT_THROW(validate_and_normalise(structure, policy, "m.json"), Error);
  policy.terms = every_term(structure, 0.1);
  policy.terms.additive[3].covariate = 2;
  EXPECT_THROW(validate_and_normalise(structure, policy, "m.json"), Error);
  policy.terms = every_term(structure, 0.1);
  policy.terms.additive[0].weights.pop_back();
  EXPECT_THROW(validate_and_normalise(structure, policy, "m.json"), Error);
}

}  // namespace
}  // namespace interpole::model
