// Posteriors of visits at irregular times: gradients in every mode, and what a fit does with known rates.

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/source_folder_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/environment.hpp"
#include "interpole/learn/fit/factor_units.hpp"
#include "interpole/learn/fit/start.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/optimize/gradient_check.hpp"
#include "interpole/simulate.hpp"
#include "interpole/study.hpp"

namespace interpole::learn {
namespace {

struct Clinic {
  Environment environment = outpatient_clinic();
  Study study;
  HistoryTree tree;

  explicit Clinic(int patients) {
    study = read_study((base::source_folder() / "studies/clinic.toml").string());
    study.structure.outcomes = environment.truth.structure.outcomes;
    study.structure.gaps = environment.truth.structure.gaps;
    std::vector<Record> records;
    for (int i = 1; i <= patients; ++i) records.push_back(simulate_record(environment, 1, i));
    tree = build_history_tree(study.structure.action_count(), records);
  }
  DecisionProblem problem() const { return with_typical_gap(with_factor_units(study, tree), tree); }
};

TEST(TimedPosterior, GradientMatchesDifferencesInEveryMode) {
  Clinic clinic(60);
  for (const bool tied : {true, false}) {
    clinic.study.ties.transition = tied;
    const DecisionProblem problem = clinic.problem();
    const inference::Likelihood likelihood(clinic.tree, problem.structure);
    for (const DynamicsMode mode :
         {DynamicsMode::kShared, DynamicsMode::kSubjective, DynamicsMode::kCoupled}) {
      const auto posterior = make_posterior(likelihood, problem,
                                            {mode, Measure::kCoordinates, {CouplingScales::all(0.4), false}});
      base::RandomStream random(33);
      std::vector<double> y(posterior->size());
      AgentWorld start;
      start.agent = draw_start(problem, StudySpace(problem, DynamicsMode::kShared), random);
      start.world = draw_start(problem, StudySpace(problem, DynamicsMode::kShared), random).dynamics;
      posterior->coordinates(start, y);
      EXPECT_LE(optimize::check_gradient(*posterior, y).worst_error, 1e-5)
          << name_of(mode) << (tied ? ", tied" : "");
    }
  }
}

TEST(TypicalGap, IsTheMedianOfTheDataAndLeavesKnownRatesAsTheyAre) {
  Clinic clinic(200);
  const std::vector<double> rates = {-0.05, 0.05, 0.0, 0.0};
  set_rates(clinic.study.structure, 0, rates, clinic.study.known.dynamics);
  const DecisionProblem problem = clinic.problem();
  EXPECT_EQ(problem.structure.time->typical, 10.0);  // of 3, 7, 7, 10, 14, 14, 28, 45
  EXPECT_NEAR(rates_of(problem.structure, problem.known.dynamics, 0)[1], 0.05, 1e-15);
  EXPECT_EQ(problem.known.dynamics.transition[2], 0.0);
  EXPECT_TRUE(std::isnan(problem.known.dynamics.transition[4]));  // of the next action, which is learned
  clinic.study.structure.time->typical = 30.0;
  EXPECT_EQ(clinic.problem().structure.time->typical, 30.0);
}

}  // namespace
}  // namespace interpole::learn
