// Posteriors of measured factors: gradients in every mode, and that a fit finds again what was simulated.

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/source_folder_testing.hpp"
#include "interpole/environment.hpp"
#include "interpole/learn/fit/factor_units.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/optimize/gradient_check.hpp"
#include "interpole/simulate.hpp"
#include "interpole/study.hpp"

namespace interpole::learn {
namespace {

struct Vitals {
  Environment environment = vitals();
  Study study;
  HistoryTree tree;

  explicit Vitals(int patients) {
    study = read_study((base::source_folder() / "studies/vitals.toml").string());
    study.structure.outcomes = environment.truth.structure.outcomes;
    std::vector<Record> records;
    for (int i = 1; i <= patients; ++i) records.push_back(simulate_record(environment, 1, i));
    tree = build_history_tree(study.structure.action_count(), records);
  }
};

TEST(MeasuredPosterior, GradientMatchesDifferencesInEveryMode) {
  Vitals vitals(60);
  vitals.study.priors.expected = Dynamics::filled(vitals.study.structure, NAN).observation;
  vitals.study.priors.expected[0] = 70.0;
  for (double& width : vitals.study.priors.concentration.observation) width = 0.8;
  for (const bool tied : {true, false}) {
    vitals.study.ties.observation = tied;
    const DecisionProblem problem = with_factor_units(vitals.study, vitals.tree);
    const inference::Likelihood likelihood(vitals.tree, problem.structure);
    for (const DynamicsMode mode :
         {DynamicsMode::kShared, DynamicsMode::kSubjective, DynamicsMode::kCoupled}) {
      for (const bool integrate : {false, true}) {
        if (integrate && mode != DynamicsMode::kCoupled) continue;
        const auto posterior = make_posterior(
            likelihood, problem, {mode, Measure::kCoordinates, {CouplingScales::all(0.4), integrate}});
        base::RandomStream random(31);
        std::vector<double> y(posterior->size());
        AgentWorld start;
        start.agent = draw_start(problem, StudySpace(problem, DynamicsMode::kShared), random);
        start.world = draw_start(problem, StudySpace(problem, DynamicsMode::kShared), random).dynamics;
        posterior->coordinates(start, y);
        const auto check = optimize::check_gradient(*posterior, y);
        EXPECT_LE(check.worst_error, 1e-5) << name_of(mode) << (tied ? ", tied" : "");
      }
    }
  }
}

TEST(MeasuredPosterior, CoordinatesAndExplanationAreInverse) {
  const Vitals vitals(40);
  const DecisionProblem problem = with_factor_units(vitals.study, vitals.tree);
  const inference::Likelihood likelihood(vitals.tree, problem.structure);
  const auto posterior = make_posterior(
      likelihood, problem, {DynamicsMode::kCoupled, Measure::kNatural, {CouplingScales::all(0.4), false}});
  std::vector<double> y(posterior->size()), again(y.size());
  base::RandomStream random(32);
  for (double& x : y) x = 0.5 * random.normal();
  posterior->coordinates(posterior->agent_world(y), again);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(again[i], y[i], 1e-9);
}

TEST(MeasuredPosterior, UnitsAreThoseOfTheColumns) {
  const Vitals vitals(300);
  const DecisionProblem problem = with_factor_units(vitals.study, vitals.tree);
  const auto& factors = problem.structure.factors;
  EXPECT_NEAR(*factors[0].centre, 72.0, 6.0);
  EXPECT_NEAR(*factors[0].scale, 12.0, 3.0);
  EXPECT_NEAR(std::log(*factors[1].centre), std::log(2.2), 0.5);
  EXPECT_NEAR(*factors[2].centre, 18.0, 2.0);
  DecisionProblem stated = vitals.study;
  stated.structure.factors[0].centre = 70.0;
  stated.structure.factors[0].scale = 10.0;
  EXPECT_EQ(with_factor_units(stated, vitals.tree).structure.factors[0].centre, 70.0);
}

// The world's numbers, which 800 patients tell well.
TEST(MeasuredPosterior, ACoupledFitFindsTheWorldAgain) {
  const Vitals vitals(800);
  FitOptions options;
  options.restarts = 3;
  options.scales = CouplingScales::all(0.5);
  options.uncertainty = false;
  const FitSummary summary = fit(vitals.tree, vitals.study, options, quiet_sink());
  ASSERT_TRUE(summary.world);
  const auto& found = summary.world->observation;
  const auto& truth = vitals.environment.truth.world->observation;
  const std::size_t row = 5;
  for (const std::size_t state : {0u, 1u}) {
    const std::size_t measure = (2 + state) * row;  // after "measure"
    EXPECT_NEAR(found[measure], truth[measure], 1.5) << "mean pressure, state " << state;
    EXPECT_NEAR(found[measure + 1], truth[measure + 1], 1.0) << "sd of pressure, state " << state;
    EXPECT_NEAR(std::log(found[measure + 2] / truth[measure + 2]), 0.0, 0.15) << "lactate, state " << state;
    EXPECT_NEAR(found[measure + 4], truth[measure + 4], 0.8) << "breaths, state " << state;
  }
}

}  // namespace
}  // namespace interpole::learn
