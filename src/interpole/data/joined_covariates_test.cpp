#include "interpole/data/joined_covariates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/belief.hpp"

namespace interpole::data {
namespace {

constexpr int kActions = 2;

PolicyTerms of_site_and_age() {
  PolicyTerms terms;
  terms.covariates = {{"site", {"north", "south"}, 0.0, 1.0}, {"age", {}, 60.0, 10.0}};
  terms.additive = {{TermKind::kContext, 1, 0, {0.4, -0.4}},
                    {TermKind::kGroup, 0, 0, {0.3, -0.3, -0.3, 0.3}}};
  return terms;
}

Policy policy_with(const PolicyTerms& terms) {
  return {2.0, {0.2, 0.8, 0.7, 0.3}, terms};
}

TEST(JoinedCovariates, KeepTheFirstListAndAppendWhatTheSecondHasBeside) {
  const std::vector<PolicyCovariate> fitted = {
      {"site", {"south", "west"}, 0.0, 1.0}, {}, {"sex", {"f", "m"}, 0, 1}};
  const auto joined = joined_covariates(fitted, of_site_and_age().covariates);
  ASSERT_EQ(joined.size(), 4u);
  EXPECT_EQ(joined[0].categories, (std::vector<std::string>{"south", "west", "north"}));
  EXPECT_EQ(joined[2].name, "sex");
  EXPECT_EQ(joined[3].name, "age");
}

TEST(JoinedCovariates, LeaveAPolicyWhatItWas) {
  const Structure structure = Structure::unrestricted({"a", "b"}, {"wait", "test"}, {"low", "high"});
  const PolicyTerms terms = of_site_and_age();
  const auto joined = joined_covariates({{"site", {"south", "west"}, 0.0, 1.0}}, terms.covariates);
  const PolicyTerms moved = terms_on(joined, terms, kActions);
  const std::vector<double> belief = {0.3, 0.7};
  const auto chances = [&](const PolicyTerms& of, const std::vector<double>& covariates) {
    return action_probabilities(structure, policy_with(of), belief, {.covariates = covariates});
  };
  EXPECT_EQ(chances(moved, {2.0, 75.0}), chances(terms, {0.0, 75.0}));  // north
  EXPECT_EQ(chances(moved, {0.0, 50.0}), chances(terms, {1.0, 50.0}));  // south
  EXPECT_EQ(chances(moved, {1.0, 50.0}), chances(terms, {NAN, 50.0}));  // west: it does not know it
  EXPECT_EQ(chances(moved, {NAN, NAN}), chances(terms, {}));            // nothing is known
  EXPECT_EQ(chances(terms, {5.0, 50.0}), chances(terms, {NAN, 50.0}));  // a category beyond its own
}

TEST(JoinedCovariates, StartingBeliefsMoveToTheirPlaces) {
  const PolicyCovariate own{"site", {"south", "north"}, 0.0, 1.0};
  const std::vector<StartTerm> start = {{0, own, {0.5, -0.5, -0.25, 0.25}},
                                        {1, {"age", {}, 60.0, 10.0}, {0.1, -0.1}}};
  const std::vector<PolicyCovariate> list = {{"age", {}, 50.0, 5.0}, {"site", {"north", "east", "south"}}};
  const auto moved = start_on(list, start, 2);
  EXPECT_EQ(moved[0].covariate, 1);
  EXPECT_EQ(moved[0].weights, (std::vector{-0.25, 0.25, 0.0, 0.0, 0.5, -0.5}));
  EXPECT_EQ(moved[1].covariate, 0);
  EXPECT_EQ(moved[1].of.centre, 60.0);  // a number keeps the scale it was learned with
  EXPECT_EQ(moved[1].weights, start[1].weights);
}

}  // namespace
}  // namespace interpole::data
