#include "interpole/learn/posterior/coupled_posterior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/posterior/log_posterior.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/model/start/start_terms.hpp"
#include "interpole/optimize/gradient_check.hpp"
#include "interpole/optimize/hessian.hpp"

namespace interpole::learn {
namespace {

using testing::open_study;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Priors that bite, known entries, a known world; starts by sex and age in every other one.
Study mixed_coupled_study(int trial) {
  Study study = open_study(2 + trial % 2, 3, 3);
  study.priors.concentration = Dynamics::filled(study.structure, 1.0 + 0.7 * (trial % 3));
  study.priors.means_sd = 1.0;
  if (trial % 2 == 0) study.known.policy.inverse_temperature = 4.0;
  if (trial % 3 == 0) study.known.dynamics.initial[0] = 0.25;
  if (trial % 4 == 0) {
    study.world = study.known.dynamics;
    for (int z = 0; z < 3; ++z) study.world->observation[z] = std::vector{0.5, 0.3, 0.2}[z];
  }
  if (trial / 2 % 2 == 0) return study;
  auto& covariates = study.known.policy.terms.covariates;
  covariates = {{"sex", {"f", "m", "other"}}, {"age", {}, 2.0, 1.5}};
  study.known.dynamics.start = {model::start_term_filled(study.structure, covariates, 0, NAN),
                                model::start_term_filled(study.structure, covariates, 1, NAN)};
  study.priors.start_scales = {0.8, 0.4};
  if (study.world) study.world->start = study.known.dynamics.start;
  return study;
}

struct CoupledSetting {
  Study study;
  HistoryTree tree;
  AgentWorld truth;
  explicit CoupledSetting(int trial, int records = 60) : study(mixed_coupled_study(trial)) {
    base::RandomStream random(43, trial);
    truth.agent = draw_start(study, StudySpace(study, DynamicsMode::kSubjective), random);
    truth.world = draw_start(study, StudySpace(study, DynamicsMode::kShared), random).dynamics;
    auto& start = truth.agent.dynamics.start;
    if (!start.empty()) {
      start[0].weights = model::ZeroSum{3, study.structure.states.size(), true}.weights(
          std::vector<double>{0.3, -0.4, 0.2, 0.5});
      start[1].weights =
          model::ZeroSum{1, study.structure.states.size(), false}.weights(std::vector<double>{0.3, -0.2});
      truth.world->start = start;
    }
    auto drawn = testing::random_records(study.structure, truth.agent, records, 8, trial);
    for (std::size_t i = 0; i < drawn.size() && !start.empty(); ++i) {
      drawn[i].covariates = {static_cast<double>(i % 3), static_cast<double>(i % 5)};
    }
    tree = build_history_tree(3, drawn, true, RecordClasses::kTogether,
                              start.empty() ? std::vector<int>() : std::vector{0, 1});
  }
};

TEST(CoupledPosterior, SecondDerivativesOfItsPartsAreThoseOfTheWhole) {
  for (int trial = 0; trial < 8; ++trial) {
    const CoupledSetting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    for (const double sigma : {0.0, 0.3, 2.0}) {
      CoupledPosterior posterior(likelihood, at.study, {CouplingScales::all(sigma), false},
                                 Measure::kCoordinates);
      std::vector<double> y(posterior.size());
      posterior.coordinates(at.truth, y);
      const auto parts = posterior.second_derivatives(y, {});
      const auto whole = optimize::hessian_by_differences(posterior, y);
      ASSERT_EQ(parts.size(), whole.size());
      // Differences of gradients of a few hundred, divided by twice 1e-5.
      for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_NEAR(parts[i], whole[i], 1e-5 * (1.0 + std::abs(whole[i]))) << "trial " << trial;
      }
    }
  }
}

TEST(CoupledPosterior, GradientMatchesCentralDifferences) {
  for (int trial = 0; trial < 24; ++trial) {
    const CoupledSetting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    for (const auto& coupling :
         {Coupling{CouplingScales::all(0.0), false}, Coupling{{0.3, 0.1, 2.0}, false}, Coupling{{}, true}}) {
      if (coupling.integrate && trial > 4) continue;  // normalising 24 σ takes time
      for (const auto measure : {Measure::kNatural, Measure::kCoordinates}) {
        CoupledPosterior posterior(likelihood, at.study, coupling, measure);
        std::vector<double> y(posterior.size());
        posterior.coordinates(at.truth, y);
        const auto check = optimize::check_gradient(posterior, y);
        // The differences are of fourth order in 0.001, and derivatives grow with the scale.
        EXPECT_LT(check.worst_error, 1e-7) << "trial " << trial << " coordinate " << check.worst_coordinate;
      }
    }
  }
}

// σ row by row: none, small, one, wide, in turn.
CouplingScales scales_by_row(const Study& study) {
  CouplingScales scales;
  const std::size_t rows = CoupledSpace(study, {}).links().size();
  for (std::size_t r = 0; r < rows; ++r) scales.rows.push_back(std::vector{0.0, 0.1, 1.0, 2.0}[r % 4]);
  return scales;
}

TEST(CoupledPosterior, GradientMatchesCentralDifferencesRowByRow) {
  for (int trial = 0; trial < 12; ++trial) {
    const CoupledSetting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    CoupledPosterior posterior(likelihood, at.study, {scales_by_row(at.study), false}, Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates(at.truth, y);
    const auto check = optimize::check_gradient(posterior, y);
    EXPECT_LT(check.worst_error, 1e-7) << "trial " << trial << " coordinate " << check.worst_coordinate;
  }
}

TEST(CoupledPosterior, ScalesRowByRowAreThoseOfTheKindIfTheyAreEqual) {
  const CoupledSetting at(5);
  const inference::Likelihood likelihood(at.tree, at.study.structure);
  CouplingScales by_row;
  by_row.rows.assign(CoupledSpace(at.study, {}).links().size(), 0.4);
  CoupledPosterior rows(likelihood, at.study, {by_row, false});
  CoupledPosterior kinds(likelihood, at.study, {CouplingScales::all(0.4), false});
  std::vector<double> y(rows.size()), z(rows.size()), g(rows.size()), h(rows.size());
  rows.coordinates(at.truth, y);
  kinds.coordinates(at.truth, z);
  EXPECT_EQ(y, z);
  EXPECT_NEAR(rows.evaluate(y, g), kinds.evaluate(z, h), 1e-9);
  for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(g[i], h[i], 1e-9);
}

TEST(CoupledPosterior, ExpandedLikelihoodAndPriorHaveTheCurvatureOfTheWhole) {
  for (int trial = 0; trial < 8; ++trial) {
    const CoupledSetting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    CoupledPosterior posterior(likelihood, at.study, {scales_by_row(at.study), false}, Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates(at.truth, y);
    const auto bend = posterior.bend_of_likelihood(posterior.expand_likelihood(y));
    const auto prior = posterior.prior_hessian(y);
    const auto whole = optimize::hessian_by_differences(posterior, y);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_NEAR(prior[i] - bend[i], whole[i], 1e-4 * std::max(1.0, std::abs(whole[i])))
          << "trial " << trial;
    }
  }
}

TEST(CoupledPosterior, AddsUpFromTheTwoPassesAndThePrior) {
  const CoupledSetting at(1);
  const inference::Likelihood likelihood(at.tree, at.study.structure);
  CoupledPosterior posterior(likelihood, at.study, {CouplingScales::all(0.5), false});
  std::vector<double> y(posterior.size());
  std::vector<double> gradient(posterior.size());
  posterior.coordinates(at.truth, y);
  const double value = posterior.evaluate(y, gradient);
  auto workspace = likelihood.make_workspace();
  const AgentWorld here = posterior.agent_world(y);
  const double actions = likelihood.evaluate(here.agent, {true, false}, nullptr, workspace).actions;
  const double observations =
      likelihood.evaluate({*here.world, here.agent.policy}, {false, true}, nullptr, workspace).observations;
  EXPECT_NEAR(posterior.likelihood_value().actions, actions, 1e-9);
  EXPECT_NEAR(posterior.likelihood_value().observations, observations, 1e-9);
  std::vector<double> ignored(posterior.size());
  EXPECT_NEAR(value, actions + observations + posterior.evaluate_prior(y, ignored), 1e-9);
}

TEST(CoupledPosterior, CoordinatesAndExplanationAreInverse) {
  for (int trial = 0; trial < 12; ++trial) {
    const CoupledSetting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    CoupledPosterior posterior(likelihood, at.study, {{0.3, 0.1, 2.0}, false});
    std::vector<double> y(posterior.size());
    std::vector<double> again(posterior.size());
    posterior.coordinates(at.truth, y);
    posterior.coordinates(posterior.agent_world(y), again);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(again[i], y[i], 1e-9);
  }
}

TEST(CoupledPosterior, WithoutAGapIsTheSharedPosterior) {
  for (int trial = 0; trial < 12; ++trial) {
    const CoupledSetting at(trial);
    const inference::Likelihood likelihood(at.tree, at.study.structure);
    LogPosterior shared(likelihood, at.study, StudySpace(at.study), DynamicsMode::kShared);
    CoupledPosterior coupled(likelihood, at.study, {CouplingScales::all(0.0), false});
    const AgentWorld one{{*at.truth.world, at.truth.agent.policy}, at.truth.world};
    std::vector<double> y(shared.size());
    std::vector<double> z(coupled.size());
    std::vector<double> g(shared.size());
    std::vector<double> h(coupled.size());
    shared.coordinates(one, y);
    coupled.coordinates(one, z);
    // The gaps' own standard normal density is all that is added, and their gradient is nothing.
    std::vector<double> prior(coupled.size());
    const double apart = coupled.evaluate(z, h) - shared.evaluate(y, g);
    const double gaps = -0.5 * coupled.space().agent().size() * std::log(2.0 * M_PI);
    EXPECT_NEAR(apart, gaps, 1e-9) << "trial " << trial;
    for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(h[i], g[i], 1e-8) << "trial " << trial;
    for (std::size_t i = g.size(); i < h.size(); ++i) EXPECT_EQ(h[i], 0.0);
  }
}

// The two ends of the coupling, found by the same search as everything between them. Uniform and other
// priors.
TEST(CoupledFit, WithoutAGapFindsTheSharedFitAndWithAFreeOneTheSubjective) {
  for (const double concentration : {1.0, 2.5}) {
    Study study = testing::bias_study();
    study.priors.concentration = Dynamics::filled(study.structure, concentration);
    const auto tree = testing::biased_tree(500, 0.4, 3);
    const auto fitted = [&](DynamicsMode mode, const std::optional<CouplingScales>& scales) {
      FitOptions options;
      options.dynamics = mode;
      options.scales = scales;
      options.restarts = 3;
      options.uncertainty = false;
      return fit(tree, study, options, quiet_sink());
    };
    const auto expect_close = [](const Parameters& x, const Parameters& y) {
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(x.dynamics.observation[i], y.dynamics.observation[i], 1e-4);
      }
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(x.policy.means[i], y.policy.means[i], 1e-4);
    };
    const auto shared = fitted(DynamicsMode::kShared, {});
    const auto subjective = fitted(DynamicsMode::kSubjective, {});
    const auto tied = fitted(DynamicsMode::kCoupled, CouplingScales::all(0.0));
    const auto free = fitted(DynamicsMode::kCoupled, CouplingScales::all(kInfinity));
    const auto nearly_tied = fitted(DynamicsMode::kCoupled, CouplingScales::all(1e-3));
    const auto nearly_free = fitted(DynamicsMode::kCoupled, CouplingScales::all(1e3));
    expect_close(tied.parameters, shared.parameters);
    expect_close(nearly_tied.parameters, shared.parameters);
    expect_close(free.parameters, subjective.parameters);
    expect_close(nearly_free.parameters, subjective.parameters);
    EXPECT_EQ(*tied.world, tied.parameters.dynamics);
    EXPECT_GT(
        std::abs(subjective.parameters.dynamics.observation[2] - shared.parameters.dynamics.observation[2]),
        1e-3);  // the ends differ, so that agreeing with each means something
  }
}

TEST(CoupledFit, KeepsWhatIsKnownOfTheWorldAndOfBoth) {
  Study study = testing::bias_study();
  study.world = study.known.dynamics;
  const std::vector<double> known = {0.6, 0.4, 0.4, 0.6};
  std::copy(known.begin(), known.end(), study.world->observation.begin());
  const auto result = fit(testing::bias_tree(500, 4), study, {}, quiet_sink());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(result.world->observation[i], known[i]);
  EXPECT_EQ(result.world->initial, (std::vector<double>{0.5, 0.5}));
  EXPECT_NEAR(result.parameters.dynamics.observation[2], 0.2, 0.05);  // the agent's own is still learned
}

TEST(CouplingPrior, IntegratesToOneOverAgentAndWorld) {
  // One row of two chances with a prior that bites: a two-dimensional integral by the trapezoidal rule.
  Study study = open_study(2, 1, 2);
  study.known.dynamics = Dynamics::filled(study.structure, 0.5);
  study.known.dynamics.initial = {NAN, NAN};
  study.known.policy = Policy::filled(study.structure, 0.5);
  study.priors.concentration.initial = {3.0, 1.5};
  const auto tree = build_history_tree(1, std::vector<Record>{});
  const inference::Likelihood likelihood(tree, study.structure);
  for (const auto& coupling : {Coupling{CouplingScales::all(0.3), false},
                               Coupling{CouplingScales::all(2.0), false}, Coupling{{}, true}}) {
    CoupledPosterior posterior(likelihood, study, coupling, Measure::kCoordinates);
    ASSERT_EQ(posterior.size(), 2);
    double total = 0.0;
    std::vector<double> gradient(2);
    const double step = 0.01;
    for (double world = -6.0; world <= 6.0; world += 0.05) {
      for (double gap = -12.0; gap <= 12.0; gap += step) {
        total += std::exp(posterior.evaluate_prior(std::vector{world, gap}, gradient)) * 0.05 * step;
      }
    }
    EXPECT_NEAR(total, 1.0, 0.02);  // the normaliser is a Monte Carlo average of 2,048 draws
  }
}

}  // namespace
}  // namespace interpole::learn
