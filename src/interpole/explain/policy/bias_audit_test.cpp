#include "interpole/bias_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/policy/bias_cost.hpp"
#include "interpole/explain/policy/bias_words.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::explain {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Draws around an agent who thinks the test misses 20% where it misses 40%; the rest agrees.
std::vector<AgentWorld> draws_of_bias(int count, double missed_by_world = 0.4) {
  std::vector<AgentWorld> draws;
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(3, i);
    AgentWorld draw{testing::bias_parameters(), testing::bias_parameters().dynamics};
    const auto set_row = [](Dynamics& dynamics, std::size_t row, double p) {
      dynamics.observation[2 * row] = p;
      dynamics.observation[2 * row + 1] = 1.0 - p;
    };
    set_row(draw.agent.dynamics, 0, 0.6 + 0.02 * random.normal());
    set_row(*draw.world, 0, 0.6 + 0.02 * random.normal());
    set_row(draw.agent.dynamics, 1, 0.2 + 0.015 * random.normal());
    set_row(*draw.world, 1, missed_by_world + 0.01 * random.normal());
    draws.push_back(draw);
  }
  return draws;
}

BiasAudit audit_of(const std::vector<AgentWorld>& draws, const HistoryTree* tree = nullptr,
                   BiasOptions options = {}) {
  return audit_bias(testing::bias_study().structure, draws, tree, options);
}

TEST(BiasAudit, ListsTheRarerOfTwoOutcomesWithIntervals) {
  const auto audit = audit_of(draws_of_bias(4000));
  ASSERT_EQ(audit.findings.size(), 2u);
  EXPECT_EQ(audit.findings[0].name, "observation[monitor,healthy,positive]");
  EXPECT_EQ(audit.findings[1].name, "observation[monitor,diseased,negative]");
  // Normal draws: the 95% interval is 1.96 standard deviations wide on either side.
  EXPECT_NEAR(audit.findings[1].agent.middle, 0.2, 0.001);
  EXPECT_NEAR(audit.findings[1].agent.low, 0.2 - 1.96 * 0.015, 0.002);
  EXPECT_NEAR(audit.findings[1].agent.high, 0.2 + 1.96 * 0.015, 0.002);
  EXPECT_NEAR(audit.findings[1].difference.low, -0.2 - 1.96 * std::hypot(0.015, 0.01), 0.002);
}

TEST(BiasAudit, FlagsWhatDiffersAndNothingElse) {
  const auto audit = audit_of(draws_of_bias(2000));
  EXPECT_FALSE(audit.findings[0].flagged);
  EXPECT_TRUE(audit.findings[1].flagged);
  EXPECT_EQ(audit.findings[1].exceeds, 1.0);
  // |N(0, 0.028)| > 0.05 with probability 0.077.
  EXPECT_NEAR(audit.findings[0].exceeds, 0.077, 0.025);
}

TEST(BiasAudit, HoldsTheExpectedShareOfFalseDiscoveries) {
  // A difference of 0.08 ± 0.018 exceeds 0.05 with probability 0.95: alone it passes a 6% limit, not a 4%
  // one.
  const auto draws = draws_of_bias(4000, 0.28);
  BiasOptions options;
  options.false_discoveries = 0.10;
  EXPECT_TRUE(audit_of(draws, nullptr, options).findings[1].flagged);
  options.false_discoveries = 0.02;
  EXPECT_FALSE(audit_of(draws, nullptr, options).findings[1].flagged);
}

// An agent sure of many things that are otherwise, and one number of which nobody can tell the sign.
TEST(BiasAudit, NothingStandsOutWhoseIntervalHoldsZero) {
  const auto structure = Structure::unrestricted({"well", "ill"}, {"a", "b", "c"}, {"low", "high"});
  std::vector<AgentWorld> draws;
  for (int i = 0; i < 400; ++i) {
    base::RandomStream random(7, i);
    Parameters agent{Dynamics::filled(structure, 0.5), Policy::filled(structure, 0.5)};
    AgentWorld draw{agent, agent.dynamics};
    for (std::size_t row = 0; row < draw.world->observation.size(); row += 2) {
      const double p = 0.2 + 0.01 * random.normal();
      draw.world->observation[row] = p;
      draw.world->observation[row + 1] = 1.0 - p;
    }
    // 80% of draws far above, the rest far below: beyond the margin in all of them, on either side of zero.
    const double start = random.uniform() < 0.8 ? 0.9 : 0.2;
    draw.world->initial = {start, 1.0 - start};
    draws.push_back(draw);
  }
  const auto audit = audit_bias(structure, draws, nullptr, {});
  const BiasFinding* start = nullptr;
  int flagged = 0;
  for (const BiasFinding& finding : audit.findings) {
    if (finding.field == Field::kInitial) start = &finding;
    flagged += finding.flagged ? 1 : 0;
    if (finding.flagged) {
      EXPECT_TRUE(finding.difference.low > 0.0 || finding.difference.high < 0.0) << finding.name;
    }
  }
  ASSERT_NE(start, nullptr);
  EXPECT_GT(start->exceeds, 0.99);
  EXPECT_LT(start->difference.low, 0.0);
  EXPECT_GT(start->difference.high, 0.0);
  EXPECT_FALSE(start->flagged);
  EXPECT_EQ(flagged, 6);
}

TEST(BiasAudit, CostsNothingWhereAgentAndWorldAgree) {
  const auto tree = testing::bias_tree(200, 5);
  std::vector<AgentWorld> draws(3, {testing::bias_parameters(), testing::bias_parameters().dynamics});
  const auto audit = audit_of(draws, &tree);
  ASSERT_TRUE(audit.cost);
  EXPECT_EQ(audit.cost->changed.middle, 0.0);
  EXPECT_EQ(audit.cost->other_choice.high, 0.0);
  EXPECT_EQ(audit.cost->actions[0].now.middle, audit.cost->actions[0].then.middle);
}

TEST(BiasAudit, CostIsTheAverageShiftOfThePolicyOverDecisions) {
  // One record: monitor (negative), then declare. Two decisions; only the second has another belief.
  const std::vector<Record> records = {{"p", {{0, 0}, {1, kMissing}}}};
  const auto tree = build_history_tree(3, records);
  const auto draws = draws_of_bias(1);
  const auto audit = audit_of(draws, &tree);
  const auto structure = testing::bias_study().structure;
  const auto policy_after = [&](const Dynamics& dynamics) {
    const double healthy = dynamics.observation[0] / (dynamics.observation[0] + dynamics.observation[2]);
    return action_probabilities(structure, draws[0].agent.policy, std::vector{healthy, 1.0 - healthy});
  };
  const auto now = policy_after(draws[0].agent.dynamics);
  const auto then = policy_after(*draws[0].world);
  double difference = 0.0;
  for (int a = 0; a < 3; ++a) difference += 0.5 * std::abs(now[a] - then[a]);
  EXPECT_NEAR(audit.cost->changed.middle, 0.5 * difference, 1e-12);
}

TEST(BiasCost, OfAgentAndWorldThatAreTheSameIsNoMoreThanChance) {
  const auto tree = testing::bias_tree(200, 5);
  const auto cost = *audit_of(draws_of_bias(400, 0.2), &tree).cost;
  EXPECT_GT(cost.changed.low, 0.0);  // it cannot be below zero
  EXPECT_LT(cost.excess.low, 0.0);
  EXPECT_GT(cost.excess.high, 0.0);
  EXPECT_LT(std::abs(cost.excess.middle), 0.3 * cost.by_chance.middle);
}

TEST(BiasCost, IsWhatADifferenceChangesBeyondChance) {
  const auto tree = testing::bias_tree(200, 5);
  const auto cost = *audit_of(draws_of_bias(400), &tree).cost;
  EXPECT_GT(cost.excess.low, 0.0);
  EXPECT_NEAR(cost.excess.middle, cost.changed.middle - cost.by_chance.middle, 0.2 * cost.changed.middle);
}

TEST(BiasCost, MovesWorldsToTheAgentOnAverageAndKeepsTheirNoise) {
  const auto structure = testing::bias_study().structure;
  const auto draws = draws_of_bias(400);
  const auto worlds = worlds_without_difference(structure, draws);
  double agent = 0.0, world = 0.0, spread = 0.0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const auto log_odds = [](const Dynamics& d) { return std::log(d.observation[2] / d.observation[3]); };
    agent += log_odds(draws[i].agent.dynamics) / 400;
    world += log_odds(worlds[i]) / 400;
    const double apart = log_odds(*draws[i].world) - log_odds(worlds[i]);
    const double apart_first = log_odds(*draws[0].world) - log_odds(worlds[0]);
    spread = std::max(spread, std::abs(apart - apart_first));
    EXPECT_NEAR(worlds[i].observation[2] + worlds[i].observation[3], 1.0, 1e-12);
  }
  EXPECT_NEAR(agent, world, 1e-9);
  EXPECT_LT(spread, 1e-9);  // all are moved by the same log-odds
}

TEST(BiasCost, LeavesRowsAloneInWhichOneOfTheTwoHasAZero) {
  const auto structure = testing::bias_study().structure;
  auto draws = draws_of_bias(5);
  for (AgentWorld& draw : draws) draw.world->initial = {1.0, 0.0};
  for (const Dynamics& world : worlds_without_difference(structure, draws)) {
    EXPECT_EQ(world.initial, draws[0].agent.dynamics.initial);
    EXPECT_EQ(world.observation[4], 0.0);  // a terminal action shows nothing
  }
}

TEST(BiasAudit, RefusesDrawsWithoutAWorldAndSillyMargins) {
  EXPECT_THROW(audit_of({{testing::bias_parameters(), {}}}), Error);
  EXPECT_THROW(audit_of({}), Error);
  BiasOptions options;
  options.margin = 1.5;
  EXPECT_THROW(audit_of(draws_of_bias(5), nullptr, options), Error);
}

TEST(BiasWords, SayWhatTheAgentActsAsIf) {
  AgentWorldComparison found;
  found.audit = audit_of(draws_of_bias(4000));
  found.verdict = BiasVerdict::kDifference;
  found.log_odds = 90.0;
  const auto sentences = bias_sentences(testing::bias_study().structure, found);
  EXPECT_THAT(sentences[0], HasSubstr("speak clearly for a difference"));
  EXPECT_EQ(sentences[1],
            "The decision-maker acts as if \"monitor\" gave \"negative\" for 20% [17, 23] of \"diseased\" "
            "patients; it does for 40% [38, 42].");
}

TEST(BiasWords, CostSpeaksOfTheMostLikelyActionOnlyWhereItsIntervalLeavesZeroOut) {
  AgentWorldComparison found;
  found.verdict = BiasVerdict::kDifference;
  found.log_odds = 90.0;
  found.audit.cost = BiasCost{};
  found.audit.cost->excess = {0.05, 0.03, 0.07};
  const auto last = [&](const Estimate& other_choice) {
    found.audit.cost->other_choice_excess = other_choice;
    return bias_sentences(testing::bias_study().structure, found).back();
  };
  EXPECT_THAT(last({0.04, 0.01, 0.07}), HasSubstr("in 4% [1, 7] another action would have been"));
  EXPECT_THAT(last({0.01, -0.03, 0.05}),
              AllOf(HasSubstr("at least 5% [3, 7] of decisions"), Not(HasSubstr("another action"))));
}

TEST(BiasWords, WithheldVerdictsSayWhyAndNothingElse) {
  AgentWorldComparison found;
  found.audit = audit_of(draws_of_bias(400));
  found.verdict = BiasVerdict::kWithheld;
  found.reasons = {"the search did not end", "the model fails a check"};
  EXPECT_THAT(bias_sentences(testing::bias_study().structure, found),
              ::testing::ElementsAre("Whether agent and world differ cannot be said.",
                                     "The search did not end.", "The model fails a check."));
}

TEST(BiasWords, FlagsNeedTheVerdict) {
  FitResult fit;
  fit.model = {testing::bias_study().structure, testing::bias_parameters(), {}};
  const auto draws = draws_of_bias(4000);
  const auto flagged = [&](double log_bayes_factor, bool converged) {
    fit.quality.log_bayes_factor = log_bayes_factor;
    fit.quality.converged = converged;
    const auto found = compare_agent_and_world(fit, draws, nullptr, {});
    bool any = false;
    for (const BiasFinding& finding : found.audit.findings) any |= finding.flagged;
    return std::pair(found.verdict, any);
  };
  EXPECT_EQ(flagged(90.0, true), std::pair(BiasVerdict::kDifference, true));
  EXPECT_EQ(flagged(0.5, true), std::pair(BiasVerdict::kUndecided, false));
  EXPECT_EQ(flagged(-5.0, true), std::pair(BiasVerdict::kNone, false));
  EXPECT_EQ(flagged(90.0, false), std::pair(BiasVerdict::kWithheld, false));
}

TEST(BiasWords, ADifferenceIsWithheldWhereDecisionsFollowMissingResults) {
  FitResult fit;
  fit.model = {testing::bias_study().structure, testing::bias_parameters(), {}};
  const auto draws = draws_of_bias(400);
  PolicyTerms& terms = fit.model.agent.policy.terms;
  for (const TermKind kind : {TermKind::kHabit, TermKind::kResultMissing}) {
    terms.additive = {model::term_filled(fit.model.structure, terms, kind, 0.0)};
    const bool missing = kind == TermKind::kResultMissing;
    fit.quality.log_bayes_factor = 90.0;
    const auto found = compare_agent_and_world(fit, draws, nullptr, {});
    EXPECT_EQ(found.verdict, missing ? BiasVerdict::kWithheld : BiasVerdict::kDifference);
    if (missing) {
      EXPECT_THAT(found.sentences[1], HasSubstr("an outcome of its own"));
    }
    fit.quality.log_bayes_factor = -5.0;
    EXPECT_EQ(compare_agent_and_world(fit, draws, nullptr, {}).verdict, BiasVerdict::kNone);
  }
}

TEST(BiasWords, FlagsNeedARowThatIsLikelyWrong) {
  FitResult fit;
  fit.model = {testing::bias_study().structure, testing::bias_parameters(), {}};
  fit.quality.log_bayes_factor = 90.0;
  const auto draws = draws_of_bias(4000);
  for (const double probability : {0.9, 0.2}) {
    fit.quality.wrong_rows = {{"observation[monitor,diseased]", probability, 0.0}};
    bool any = false;
    for (const BiasFinding& finding : compare_agent_and_world(fit, draws, nullptr, {}).audit.findings) {
      any |= finding.flagged;
      const bool in_row = finding.field == Field::kObservation && finding.state == 1;
      EXPECT_EQ(finding.row_probability.value_or(-1.0), in_row ? probability : -1.0);
    }
    EXPECT_EQ(any, probability > 0.5);
  }
}

TEST(BiasWords, NoneNeedsNoRowToBeInDoubt) {
  FitResult fit;
  fit.model = {testing::bias_study().structure, testing::bias_parameters(), {}};
  fit.quality.log_bayes_factor = -2.0;
  const auto draws = draws_of_bias(400);
  fit.quality.wrong_rows = {{"observation[monitor,healthy]", 0.02, -3.0},
                            {"observation[monitor,diseased]", 0.02, -3.0}};
  EXPECT_EQ(compare_agent_and_world(fit, draws, nullptr, {}).verdict, BiasVerdict::kNone);
  fit.quality.wrong_rows[1].log_evidence_ratio = 0.3;
  const auto found = compare_agent_and_world(fit, draws, nullptr, {});
  EXPECT_EQ(found.verdict, BiasVerdict::kUndecided);
  ASSERT_EQ(found.reasons.size(), 1u);
  EXPECT_THAT(found.reasons[0], HasSubstr("1 of 2 rows"));
  EXPECT_THAT(found.sentences[0], HasSubstr("cannot tell"));
}

TEST(BiasWords, VerdictFollowsTheEvidence) {
  const auto first = [](std::optional<double> evidence) {
    return verdict_words({verdict_by(evidence), {}, evidence, false}).front();
  };
  EXPECT_THAT(first(std::log(5.0)), HasSubstr("speak for a difference between agent and world (5.0 to one)"));
  EXPECT_THAT(first(0.2), HasSubstr("cannot tell"));
  EXPECT_THAT(first(-2.0), HasSubstr("favour no difference"));
  EXPECT_THAT(first({}), HasSubstr("not tested"));
}

// What `fit` says of a model is what `bias` says of it.
TEST(BiasWords, TheVerdictOfAFitIsTheFirstSentenceOfItsAudit) {
  FitResult fit;
  fit.model = {testing::bias_study().structure, testing::bias_parameters(), {}};
  const auto draws = draws_of_bias(400);
  for (const double evidence : {90.0, 0.5, -2.0}) {
    for (const bool in_doubt : {false, true}) {
      for (const bool converged : {false, true}) {
        fit.quality.log_bayes_factor = evidence;
        fit.quality.converged = converged;
        fit.quality.wrong_rows = {{"observation[monitor,diseased]", 0.9, in_doubt ? 0.3 : -3.0}};
        const auto found = compare_agent_and_world(fit, draws, nullptr, {});
        const auto words = verdict_words(judge_difference(fit, {}));
        EXPECT_EQ(words.front() + ".", found.sentences.front());
      }
    }
  }
}

TEST(BiasWords, OddsAreTemperedByMisfitThatTheChecksProve) {
  FitResult fit;
  fit.quality.log_bayes_factor = 8.0;
  ModelChecks checks;
  EXPECT_EQ(judge_difference(fit, checks).log_odds, 8.0);
  EXPECT_EQ(verdict_words(judge_difference(fit, checks)).size(), 1u);
  checks.misfit = 15.0;
  const DifferenceVerdict judged = judge_difference(fit, checks);
  EXPECT_EQ(judged.verdict, BiasVerdict::kUndecided);
  EXPECT_EQ(judged.log_odds, 0.5);
  EXPECT_THAT(verdict_words(judged).back(), HasSubstr("tempered"));
}

TEST(Estimate, TakesQuantilesLinearlyBetweenDraws) {
  const Estimate x = estimate_of({4.0, 1.0, 3.0, 2.0, 5.0}, 0.5);
  EXPECT_EQ(x.middle, 3.0);
  EXPECT_EQ(x.low, 2.0);
  EXPECT_EQ(x.high, 4.0);
  EXPECT_EQ(estimate_of({7.0}, 0.9).high, 7.0);
}

}  // namespace
}  // namespace interpole::explain
