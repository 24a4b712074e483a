#include "interpole/learn/posterior/log_posterior.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/error.hpp"
#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/posterior/expected_log_posterior.hpp"
#include "interpole/learn/posterior/log_prior.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/optimize/gradient_check.hpp"

namespace interpole::learn {
namespace {

using testing::open_study;

// A study with something of everything: priors that bite, known entries, masks.
Study mixed_study(int trial) {
  Study study = open_study(2 + trial % 3, 3, 3);
  study.priors.concentration = Dynamics::filled(study.structure, 1.0 + 0.7 * (trial % 4));
  study.priors.means_sd = 0.5 + trial % 2;
  if (trial % 2 == 0) study.known.policy.inverse_temperature = 4.0;
  if (trial % 3 == 0) {
    study.known.dynamics.initial[0] = 0.25;
    study.known.policy.means[1] = 0.7;
  }
  if (trial % 5 == 0) study.structure.allowed[2] = 0;  // the first action cannot yield the third outcome
  return study;
}

struct Setting {
  Study study;
  StudySpace space;
  HistoryTree tree;
  std::vector<double> y;
  explicit Setting(int trial) : study(mixed_study(trial)), space(study), y(space.size()) {
    base::RandomStream random(41, trial);
    const Parameters p = draw_start(study, space, random);
    space.coordinates(p, y);
    tree = build_history_tree(3, testing::random_records(study.structure, p, 60, 8, trial));
  }
};

TEST(LogPosterior, GradientInUnconstrainedCoordinatesMatchesCentralDifferences) {
  for (int trial = 0; trial < 40; ++trial) {
    Setting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kSubjective}) {
      LogPosterior objective(likelihood, at.study, at.space, mode);
      const auto check = optimize::check_gradient(objective, at.y);
      EXPECT_LT(check.worst_error, 1e-8) << "trial " << trial << " coordinate " << check.worst_coordinate;
    }
  }
}

TEST(LogPosterior, OfKindsOfDecisionMakersHasTheGradientOfItsDifferencesAndNoOrderOfKinds) {
  for (const auto measure : {Measure::kNatural, Measure::kCoordinates}) {
    Setting at(1);
    Policy& known = at.study.known.policy;
    known.other_kinds.assign(2, {NAN, known.inverse_temperature, known.means});
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    const StudySpace space(at.study);
    LogPosterior objective(likelihood, at.study, space, DynamicsMode::kShared, measure);
    EXPECT_EQ(objective.names().size(), static_cast<std::size_t>(space.size()));
    base::RandomStream random(3, 0);
    std::vector<double> y(space.size());
    for (double& x : y) x = 0.5 * random.normal();
    EXPECT_LT(optimize::check_gradient(objective, y).worst_error, 1e-8);
    Parameters p = space.point(y);
    std::vector<double> g(y.size());
    const double before = objective.evaluate(y, g);
    std::swap(p.policy.means, p.policy.other_kinds[1].means);
    std::swap(p.policy.inverse_temperature, p.policy.other_kinds[1].inverse_temperature);
    p.policy.other_kinds[1].share = p.policy.kind_shares()[0];
    space.coordinates(p, y);
    EXPECT_NEAR(objective.evaluate(y, g), before, 1e-9 * std::abs(before));
  }
}

TEST(LogPosterior, HasTheGradientOfTheExpectedLogPosterior) {
  for (int trial = 0; trial < 40; ++trial) {
    Setting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kSubjective}) {
      LogPosterior exact(likelihood, at.study, at.space, mode);
      ExpectedLogPosterior expected(likelihood, at.study, at.space, mode, Monitor::kExpected);
      std::vector<double> g(at.space.size());
      std::vector<double> q(at.space.size());
      exact.evaluate(at.y, g);
      expected.evaluate(at.y, q);
      double scale = 1.0;
      for (const double x : g) scale = std::max(scale, std::abs(x));
      for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(q[i], g[i], 1e-10 * scale) << "trial " << trial;
    }
  }
}

TEST(LogPosterior, IsWhatAlgorithmOneWatchesWhenAskedForTheExactMonitor) {
  Setting at(3);
  const inference::Likelihood likelihood(at.tree, at.study.structure);
  LogPosterior exact(likelihood, at.study, at.space, DynamicsMode::kShared);
  ExpectedLogPosterior watched(likelihood, at.study, at.space, DynamicsMode::kShared, Monitor::kExact);
  std::vector<double> g(at.space.size());
  EXPECT_NEAR(watched.evaluate(at.y, g), exact.evaluate(at.y, g), 1e-9);
}

TEST(LogPosterior, AddsUpFromItsParts) {
  Setting at(1);
  const inference::Likelihood likelihood(at.tree, at.study.structure);
  LogPosterior objective(likelihood, at.study, at.space, DynamicsMode::kShared);
  std::vector<double> g(at.space.size());
  const double value = objective.evaluate(at.y, g);
  EXPECT_DOUBLE_EQ(value, objective.likelihood_value().total() + objective.log_prior_value());
}

TEST(LogPrior, OfATwoWayDirichletIsTheBetaDensity) {
  Study study = open_study(2, 1, 2);
  study.known.dynamics = Dynamics::filled(study.structure, 0.5);
  study.known.dynamics.initial = {NAN, NAN};
  study.priors.concentration.initial = {3.0, 2.0};
  const StudySpace space(study);
  Parameters p = Parameters::filled(study.structure, 0.5);
  p.dynamics.initial = {0.7, 0.3};
  p.policy.inverse_temperature = 1.0;
  std::vector<double> y(space.size());
  space.coordinates(p, y);
  std::vector<double> d_y(space.dynamics().size());
  // Beta(3, 2) has density 12 x² (1 − x).
  EXPECT_NEAR(log_prior(space.dynamics(), study.priors,
                        space.dynamics().point(space.dynamics_part(std::span<const double>(y))), d_y),
              std::log(12.0 * 0.49 * 0.3), 1e-12);
}

TEST(LogPrior, OfTheTemperatureIsTheGammaDensity) {
  Study study = open_study(1, 1, 1);
  study.priors.temperature_shape = 2.0;
  study.priors.temperature_rate = 0.5;
  const model::PolicySpace space(study.structure, study.known.policy);
  std::vector<double> d_y(space.size());
  const std::vector<double> y = {std::log(3.0)};
  EXPECT_NEAR(log_prior(space, study.priors, y, d_y), std::log(0.25 * 3.0 * std::exp(-1.5)), 1e-12);
}

TEST(DynamicsMode, RefusesAnUnknownNameAndListsTheKnown) {
  try {
    dynamics_mode_named("sharde");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("sharde"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("subjective"));
  }
}

TEST(Start, KeepsKnownValuesAndRowsOfProbabilities) {
  for (int trial = 0; trial < 20; ++trial) {
    Setting at(trial);
    base::RandomStream random(5, trial);
    auto p = draw_start(at.study, at.space, random);
    EXPECT_NO_THROW(validate_and_normalise(at.study.structure, p.dynamics, "start"));
    EXPECT_NO_THROW(validate_and_normalise(at.study.structure, p.policy, "start"));
    if (trial % 3 == 0) {
      EXPECT_DOUBLE_EQ(p.dynamics.initial[0], 0.25);
      EXPECT_DOUBLE_EQ(p.policy.means[1], 0.7);
    }
  }
}

}  // namespace
}  // namespace interpole::learn
