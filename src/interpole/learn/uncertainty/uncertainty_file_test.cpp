#include "interpole/learn/uncertainty/uncertainty_file.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/files/text_file.hpp"
#include "interpole/base/random.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/posterior/coupled_space.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::learn {
namespace {

using ::testing::HasSubstr;

// Every kind of term, all to be learned.
DecisionProblem problem_with_terms() {
  DecisionProblem problem = testing::bias_study();
  PolicyTerms& terms = problem.known.policy.terms;
  terms.inertia = NAN;
  terms.covariates = {{"sex", {"f", "m"}, 0.0, 1.0}, {"age", {}, 61.5, 9.25}, {"site", {"A", "B", "C"}}};
  const auto add = [&](TermKind kind, int covariate = -1, int steps = 0, int period = 0) {
    terms.additive.push_back(
        model::term_filled(problem.structure, terms, kind, NAN, covariate, steps, period));
  };
  add(TermKind::kHabit);
  add(TermKind::kTime, -1, 3);
  add(TermKind::kResultMissing);
  add(TermKind::kContext, 0);
  add(TermKind::kContext, 1);
  add(TermKind::kGroup, 2);
  return problem;
}

// Some normal distributions of the coordinates.
Uncertainty some_uncertainty(const DecisionProblem& problem, DynamicsMode dynamics) {
  const std::size_t n = dynamics == DynamicsMode::kCoupled ? CoupledSpace(problem, {}).size()
                                                           : StudySpace(problem, dynamics).size();
  base::RandomStream random(7);
  Uncertainty uncertainty;
  uncertainty.dynamics = dynamics;
  for (int c = 0; c < 2; ++c) {
    UncertaintyComponent component;
    component.scales = {0.1, 0.2, 0.3};
    component.laplace.centre.resize(n);
    component.laplace.factor.assign(n * n, 0.0);
    for (double& x : component.laplace.centre) x = random.normal();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) component.laplace.factor[i * n + j] = 0.1 * random.normal();
    }
    uncertainty.components.push_back(std::move(component));
  }
  return uncertainty;
}

FitResult fit_with_terms(DynamicsMode dynamics) {
  const DecisionProblem problem = problem_with_terms();
  FitResult fit;
  fit.uncertainty = std::make_shared<const StoredUncertainty>(
      stored_uncertainty(problem, some_uncertainty(problem, dynamics)));
  const AgentWorld one = fit.draws(1, 11).front();
  fit.model = {problem.structure, one.agent, one.world};
  return fit;
}

TEST(UncertaintyFile, KeepsEveryBitOfDrawsWithTerms) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  for (const auto dynamics : {DynamicsMode::kShared, DynamicsMode::kSubjective, DynamicsMode::kCoupled}) {
    const FitResult here = fit_with_terms(dynamics);
    EXPECT_GT(here.model.agent.policy.terms.inertia, 0.0);
    EXPECT_EQ(here.model.agent.policy.terms.lapse, 0.0);
    write_fit(path, here);
    const FitResult there = read_fit(path);
    EXPECT_EQ(there.model, here.model);
    const auto draws = there.draws(20, 3);
    EXPECT_EQ(draws, here.draws(20, 3));
    EXPECT_NE(draws[0].agent.policy.terms, draws[1].agent.policy.terms);
    EXPECT_EQ(draws[0].agent.policy.terms.covariates, here.model.agent.policy.terms.covariates);
  }
}

// Of which the second component has a σ for each row.
FitResult fit_with_rows(const std::vector<double>& rows) {
  const DecisionProblem problem = testing::bias_study();
  Uncertainty uncertainty = some_uncertainty(problem, DynamicsMode::kCoupled);
  uncertainty.components[1].scales.rows = rows;
  FitResult fit;
  fit.uncertainty = std::make_shared<const StoredUncertainty>(stored_uncertainty(problem, uncertainty));
  fit.model = {problem.structure, testing::bias_parameters(), testing::bias_parameters().dynamics};
  return fit;
}

TEST(UncertaintyFile, KeepsScalesOfRows) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  const FitResult here = fit_with_rows({0.0, 0.5});
  write_fit(path, here);
  const FitResult there = read_fit(path);
  EXPECT_EQ(there.uncertainty->uncertainty.components[1].scales.rows, (std::vector{0.0, 0.5}));
  EXPECT_TRUE(there.uncertainty->uncertainty.components[0].scales.rows.empty());
  const auto draws = there.draws(20, 3);
  EXPECT_EQ(draws, here.draws(20, 3));
  // The first row has no gap in draws of the second component.
  EXPECT_EQ(draws[1].agent.dynamics.observation[0], draws[1].world->observation[0]);
  EXPECT_NE(draws[1].agent.dynamics.observation[2], draws[1].world->observation[2]);
}

FitResult fit_with_misfit(double misfit) {
  const DecisionProblem problem = testing::bias_study();
  Uncertainty uncertainty = some_uncertainty(problem, DynamicsMode::kCoupled);
  uncertainty.misfit = misfit;
  FitResult fit;
  fit.uncertainty = std::make_shared<const StoredUncertainty>(stored_uncertainty(problem, uncertainty));
  fit.model = {problem.structure, testing::bias_parameters(), testing::bias_parameters().dynamics};
  return fit;
}

TEST(UncertaintyFile, KeepsTheMisfitThatDrawsAreWiderBy) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  const FitResult here = fit_with_misfit(2.7);
  write_fit(path, here);
  EXPECT_EQ(read_fit(path).draws(20, 3), here.draws(20, 3));
  EXPECT_NE(fit_with_misfit(0.0).draws(20, 3), here.draws(20, 3));
  EXPECT_THAT(format_fit(fit_with_misfit(0.0)), ::testing::Not(HasSubstr("misfit")));
}

TEST(UncertaintyFile, RefusesAMisfitBelowZero) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  std::string text = format_fit(fit_with_misfit(2.5));
  text.replace(text.find("2.5"), 3, "-25");
  base::write_file_atomically(path, text);
  EXPECT_THAT(base::complaint_of([&] { read_fit(path); }),
              ::testing::AllOf(HasSubstr("uncertainty.misfit"), HasSubstr("-25 is negative")));
}

TEST(UncertaintyFile, RefusesScalesThatAreNoneOfItsRows) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  write_fit(path, fit_with_rows({0.0, -0.5}));
  EXPECT_THAT(base::complaint_of([&] { read_fit(path); }),
              ::testing::AllOf(HasSubstr("uncertainty.components[1].scales.rows[1]"), HasSubstr("-0.5")));
}

TEST(UncertaintyFile, RefusesABlockOfOtherTerms) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("model.json");
  FitResult fit = fit_with_terms(DynamicsMode::kShared);
  fit.model.agent.policy.terms.additive.pop_back();
  write_fit(path, fit);
  EXPECT_THAT(
      base::complaint_of([&] { read_fit(path); }),
      ::testing::AllOf(HasSubstr("uncertainty.components[0].centre"), HasSubstr("fit the model again")));
}

}  // namespace
}  // namespace interpole::learn
