#include "interpole/learn/terms/term_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/data/record_contexts.hpp"
#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/model/policy_terms.hpp"
#include "interpole/simulate.hpp"

namespace interpole::learn {
namespace {

std::vector<Record> records_of(const Environment& environment, int patients, std::uint64_t seed) {
  std::vector<Record> records;
  SimulateOptions options;
  options.patients = patients;
  options.seed = seed;
  simulate(environment, options, [&](const Record& record) { records.push_back(record); });
  return records;
}

// From the true dynamics: which terms would be taken.
TermChoice choice_of(const Environment& environment, int patients, std::uint64_t seed,
                     const PolicyRequest& request = {}, PolicyUse use = PolicyUse::kAuto,
                     const StartRequest& starts = {}) {
  DecisionProblem problem = DecisionProblem::open(environment.truth.structure);
  problem.known.policy.terms.covariates = environment.truth.agent.policy.terms.covariates;
  problem.policy = request;
  problem.starts = starts;
  Parameters start = environment.truth.agent;
  start.policy.terms = {};
  start.dynamics.start.clear();
  const auto tree =
      build_history_tree(3, records_of(environment, patients, seed), true, RecordClasses::kTogether,
                         data::start_places(starts, problem.known.policy.terms.covariates));
  const inference::Likelihood likelihood(tree, problem.structure);
  TermSearch search;
  search.use = use;
  return choose_terms(likelihood, problem, start, search);
}

std::vector<std::string> taken(const TermChoice& choice) {
  std::vector<std::string> names;
  for (const WeighedTerm& term : choice.weighed) {
    if (term.taken) names.push_back(term.candidate.name);
  }
  return names;
}

TEST(TermChoice, TakesNothingWhereBeliefSaysItAll) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_TRUE(taken(choice_of(plain_ward(), 600, seed)).empty());
}

TEST(TermChoice, TellsInertiaFromHabitAndLapses) {
  Environment environment = plain_ward();
  environment.truth.agent.policy.terms.inertia = 0.3;
  const TermChoice choice = choice_of(environment, 800, 4);
  EXPECT_EQ(taken(choice), std::vector<std::string>{"inertia"});
  EXPECT_NEAR(choice.at.policy.terms.inertia, 0.3, 0.06);
  EXPECT_GT(choice.weighed[0].log_ratio, 20.0);
}

// A protocol says more than a second-order expansion can foresee: the scale must not be what it foresees.
TEST(TermChoice, GivesAProtocolTheScaleItNeeds) {
  Environment environment = plain_ward();
  PolicyTerms& terms = environment.truth.agent.policy.terms;
  terms.additive.push_back(
      model::term_filled(environment.truth.structure, terms, TermKind::kTime, 0.0, -1, 10));
  for (const int step : {0, 4}) terms.additive.back().weights[step * 3 + 1] = 8.0;
  const TermChoice choice = choice_of(environment, 1000, 41000);
  EXPECT_EQ(taken(choice), std::vector<std::string>{"time"});
  EXPECT_GT(choice.problem.priors.term_scales.front(), 0.5);
}

TEST(TermChoice, FindsEveryTermOfTheWard) {
  PolicyRequest request;
  request.context = {"age"};
  request.group = "site";
  const TermChoice choice = choice_of(ward(), 3000, 5, request);
  EXPECT_EQ(choice.taken(), 7);
  EXPECT_EQ(choice.problem.known.policy.terms.additive.size(), 5u);
  EXPECT_DOUBLE_EQ(choice.price(), 7 * kPriceOfTerm);
}

TEST(TermChoice, FindsByWhatStartingBeliefsDiffer) {
  const TermChoice choice = choice_of(starts_ward(), 1500, 11, {}, PolicyUse::kAuto, {{"sex", "age"}});
  EXPECT_EQ(taken(choice), (std::vector<std::string>{"start by sex", "start by age"}));
  const auto& truth = starts_ward().truth.agent.dynamics.start;
  ASSERT_EQ(choice.at.dynamics.start.size(), 2u);
  for (const StartTerm& found : choice.at.dynamics.start) {
    for (std::size_t i = 0; i < found.weights.size(); ++i) {
      EXPECT_NEAR(found.weights[i], truth[found.covariate].weights[i], 0.15) << found.of.name;
    }
  }
}

TEST(TermChoice, TakesNoStartWhereAllStartAlike) {
  Environment environment = starts_ward();
  environment.truth.agent.dynamics.start.clear();
  environment.truth.world->start.clear();
  for (const std::uint64_t seed : {12, 13, 14}) {
    EXPECT_TRUE(taken(choice_of(environment, 600, seed, {}, PolicyUse::kAuto, {{"sex", "age"}})).empty());
  }
  const auto always = choice_of(environment, 600, 12, {}, PolicyUse::kAuto, {{"sex"}, true});
  EXPECT_EQ(taken(always), std::vector<std::string>{"start by sex"});
}

// Patients who arrive ill more often are treated sooner: that is no rule about sex.
TEST(TermChoice, TellsAStartFromADecisionThatFollowsACovariate) {
  PolicyRequest request;
  request.context = {"sex", "age"};
  const auto of_start = choice_of(starts_ward(), 1500, 15, request, PolicyUse::kAuto, {{"sex", "age"}});
  EXPECT_EQ(taken(of_start), (std::vector<std::string>{"start by sex", "start by age"}));
  Environment environment = starts_ward();
  environment.truth.agent.dynamics.start.clear();
  environment.truth.world->start.clear();
  PolicyTerms& terms = environment.truth.agent.policy.terms;
  terms.additive = {model::term_filled(environment.truth.structure, terms, TermKind::kContext, 0.0, 0)};
  terms.additive[0].weights = {0.5, 0.0, -0.5, -0.5, 0.0, 0.5};
  const auto of_policy = choice_of(environment, 1500, 16, request, PolicyUse::kAuto, {{"sex", "age"}});
  EXPECT_EQ(taken(of_policy), std::vector<std::string>{"sex"});
}

TEST(TermChoice, DoesAsTheStudySays) {
  PolicyRequest request;
  request.habit = PolicyRequest::Use::kNever;
  request.lapse = PolicyRequest::Use::kAlways;
  Environment environment = plain_ward();
  environment.truth.agent.policy.terms.inertia = 0.3;
  const TermChoice choice = choice_of(environment, 300, 6, request);
  for (const WeighedTerm& term : choice.weighed) {
    EXPECT_NE(term.candidate.name, "inertia");
    EXPECT_NE(term.candidate.name, "habit");
    EXPECT_TRUE(term.taken || term.candidate.name != "lapse");
  }
  const TermChoice full = choice_of(plain_ward(), 300, 6, {}, PolicyUse::kFull);
  EXPECT_EQ(full.taken(), static_cast<int>(full.weighed.size()));
}

TEST(TermChoice, LetsHabitNotPassForBias) {
  Environment environment = plain_ward();
  environment.truth.agent.policy.terms.inertia = 0.4;
  const auto tree = build_history_tree(3, records_of(environment, 800, 7));
  const DecisionProblem problem = DecisionProblem::open(environment.truth.structure);
  FitOptions options;
  options.uncertainty = false;
  const FitSummary belief = fit(tree, problem, options, quiet_sink());
  options.policy = PolicyUse::kAuto;
  const FitSummary termed = fit(tree, problem, options, quiet_sink());
  EXPECT_GT(belief.scale_choice->log_bayes_factor(), std::log(20.0));  // a bias that is none
  EXPECT_LT(termed.scale_choice->log_bayes_factor(), 0.0);
  EXPECT_NEAR(termed.parameters.policy.terms.inertia, 0.4, 0.06);
}

TEST(TermChoice, KeepsATrueBias) {
  Environment environment = plain_ward();
  environment.truth.agent.policy.terms.inertia = 0.3;
  environment.truth.agent.dynamics.observation[6] = 0.4;
  environment.truth.agent.dynamics.observation[7] = 0.6;
  const auto tree = build_history_tree(3, records_of(environment, 1500, 8));
  FitOptions options;
  options.policy = PolicyUse::kAuto;
  options.uncertainty = false;
  const FitSummary summary =
      fit(tree, DecisionProblem::open(environment.truth.structure), options, quiet_sink());
  EXPECT_GT(summary.scale_choice->log_bayes_factor(), std::log(3.0));
  EXPECT_EQ(taken(*summary.terms), std::vector<std::string>{"inertia"});
}

TEST(PolicyUse, IsNamed) {
  for (const PolicyUse use : {PolicyUse::kBelief, PolicyUse::kAuto, PolicyUse::kFull}) {
    EXPECT_EQ(policy_use_named(name_of(use)), use);
  }
  EXPECT_THROW(policy_use_named("habit"), Error);
}

}  // namespace
}  // namespace interpole::learn
