#include "interpole/learn/unrecorded_sign/sign_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interpole/learn/unrecorded_sign/signed_posterior.hpp"
#include "interpole/optimize/gradient_check.hpp"
#include "interpole/simulate.hpp"

namespace interpole::learn {
namespace {

std::vector<Record> records_of(const Environment& environment, int patients, bool hide_sign) {
  std::vector<Record> records;
  simulate(environment, {.patients = patients, .seed = 3},
           [&](const Record& record) { records.push_back(record); });
  for (Record& record : records) {
    for (Step& step : record.steps) {
      if (hide_sign && step.observation != kMissing) step.observation /= 2;
    }
  }
  return records;
}

SignProfile profile_of(const std::vector<Record>& records, int threads = 1) {
  const Environment ward = plain_ward();
  const HistoryTree tree = build_history_tree(3, records);
  SignSearch search;
  search.threads = threads;
  return weigh_sign(tree, DecisionProblem::open(ward.truth.structure), {ward.truth.agent}, search);
}

TEST(SignedPosterior, GradientIsExact) {
  const Environment ward = plain_ward();
  const HistoryTree tree = build_history_tree(3, records_of(ward, 60, false));
  inference::SignedLikelihood likelihood(tree, ward.truth.structure, inference::sign_memory(2, 3));
  const DecisionProblem problem = DecisionProblem::open(ward.truth.structure);
  SignedPosterior posterior(likelihood, problem, 0.7);
  std::vector<double> y(posterior.size());
  posterior.coordinates({ward.truth.agent, {}}, y);
  EXPECT_LT(optimize::check_gradient(posterior, y).worst_error, 1e-6);
}

TEST(SignProfile, PeaksWhereTheSignIs) {
  const SignProfile profile = profile_of(records_of(signed_ward(), 600, true));
  EXPECT_NEAR(profile.best().right, 0.75, 0.08);
  EXPECT_GT(profile.best().log_ratio, 10.0);
  EXPECT_GT(profile.log_mean_ratio(), std::log(200.0));
  const auto least = profile.least_right(3.0);
  ASSERT_TRUE(least);
  EXPECT_GT(*least, 0.5);
  EXPECT_LT(*least, 0.7);
}

TEST(SignProfile, FallsWhereThereIsNone) {
  const SignProfile profile = profile_of(records_of(plain_ward(), 600, false));
  EXPECT_EQ(profile.best().right, 0.5);
  EXPECT_EQ(profile.best().log_ratio, 0.0);
  EXPECT_LT(profile.log_mean_ratio(), 0.0);
  EXPECT_FALSE(profile.least_right(1.0));
}

TEST(SignProfile, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  const auto records = records_of(signed_ward(), 100, true);
  const SignProfile one = profile_of(records, 1);
  const SignProfile three = profile_of(records, 3);
  ASSERT_EQ(one.points.size(), three.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i) {
    EXPECT_EQ(one.points[i].log_ratio, three.points[i].log_ratio);
  }
}

TEST(SignProfile, ReadsBetweenItsPoints) {
  const SignProfile profile{{{0.5, 0.0}, {0.6, 2.0}, {0.7, 6.0}, {0.8, 1.0}}, ""};
  EXPECT_NEAR(*profile.least_right(4.0), 0.65, 1e-12);
  EXPECT_EQ(profile.least_right(-1.0), 0.5);
  EXPECT_FALSE(profile.least_right(7.0));
}

// With a sign, terms of covariates cannot be weighed. They must not be missed by it.
TEST(SignProfile, OfWeakSignsIsNearZeroWhereDecisionsFollowCovariates) {
  const Environment environment = ward();
  DecisionProblem problem = DecisionProblem::open(environment.truth.structure);
  PolicyTerms& known = problem.known.policy.terms = environment.truth.agent.policy.terms;
  for (PolicyTerm& term : known.additive) std::ranges::fill(term.weights, NAN);
  known.inertia = known.lapse = NAN;
  problem.priors.term_scales.assign(known.additive.size(), 0.5);
  const HistoryTree tree = build_history_tree(3, records_of(environment, 600, false));
  ASSERT_FALSE(tree.classes.none());
  const SignProfile profile = weigh_sign(tree, problem, {environment.truth.agent}, {});
  ASSERT_GE(profile.points.size(), 2U);
  EXPECT_EQ(profile.points[0].log_ratio, 0.0);
  EXPECT_GT(profile.points[1].log_ratio, -5.0);
  EXPECT_LT(profile.points[1].log_ratio, 3.0);
  for (const SignProfile::Point& point : profile.points) EXPECT_TRUE(std::isfinite(point.log_ratio));
}

TEST(SignProfile, SaysWhyNothingWasWeighed) {
  const Environment ward = plain_ward();
  const HistoryTree tree = build_history_tree(3, records_of(ward, 20, false));
  SignSearch search;
  search.most_numbers = 10.0;
  const SignProfile profile =
      weigh_sign(tree, DecisionProblem::open(ward.truth.structure), {ward.truth.agent}, search);
  EXPECT_TRUE(profile.points.empty());
  EXPECT_EQ(profile.not_weighed, "there are too many different histories");
}

}  // namespace
}  // namespace interpole::learn
