#include "interpole/explain/policy/guideline.hpp"

#include <gmock/gmock.h>

#include "interpole/belief.hpp"
#include "interpole/environment.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole::explain {
namespace {

class TreeGuideline : public ::testing::Test {
 protected:
  std::string action(int step) const { return truth_.structure.actions[guideline_.steps[step].action]; }
  std::vector<std::string> results(const GuidelineBranch& branch) const {
    std::vector<std::string> names;
    for (const auto& result : branch.results)
      names.push_back(truth_.structure.observations[result.observation]);
    return names;
  }

  const Model truth_ = decision_tree().truth;
  const Guideline guideline_ = guideline_of(truth_.structure, truth_.agent, {}, {});
};

TEST_F(TreeGuideline, AsksTheVagueQuestionWithItsThreshold) {
  const GuidelineStep& first = guideline_.steps[0];
  EXPECT_EQ(action(0), "tst-dis");
  ASSERT_TRUE(first.question);
  EXPECT_EQ(truth_.structure.states[first.question->state], "dis");
  EXPECT_EQ(truth_.structure.states[first.question->other], "hlt");
  EXPECT_NEAR(first.question->threshold, 0.30, 1e-12);  // environments/decision_tree.cpp
  EXPECT_FALSE(first.question->range);
}

TEST_F(TreeGuideline, PutsEveryResultOnItsSideOfTheThreshold) {
  const auto& branches = guideline_.steps[0].branches;
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(action(branches[0].next), "stp-hlt");
  EXPECT_EQ(action(branches[1].next), "tst-typ");
  EXPECT_THAT(results(branches[0]), ::testing::ElementsAre("risk-very-low", "risk-low"));
  EXPECT_THAT(results(branches[1]), ::testing::ElementsAre("risk-moderate", "risk-high", "risk-very-high"));
  const double risks[] = {0.32370, 0.55682, 0.79032};  // by Bayes' rule, on paper
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(branches[1].results[i].belief, risks[i], 1e-5);
  // 0.65·(0.38 + 0.26) + 0.35·(0.04 + 0.10)
  EXPECT_NEAR(branches[0].share, 0.465, 1e-12);
  EXPECT_NEAR(branches[0].share + branches[1].share, 1.0, 1e-12);
}

TEST_F(TreeGuideline, AsksItsQuestionInTheContextOfTheStep) {
  Parameters agent = truth_.agent;
  PolicyTerms& terms = agent.policy.terms;
  terms.inertia = 0.3;  // no choice: it moves no threshold
  terms.additive = {model::term_filled(truth_.structure, terms, TermKind::kTime, 0.0, -1, 3)};
  const int typing = truth_.structure.find_action("tst-typ");
  const std::size_t A = truth_.structure.actions.size();
  terms.additive[0].weights[A + typing] = 0.5;  // at the second step
  const Guideline guideline = guideline_of(truth_.structure, agent, {}, {});
  const auto& question = guideline.steps[0].question;
  ASSERT_TRUE(question);
  EXPECT_LT(question->threshold, 0.30);
  std::vector<double> belief(truth_.structure.states.size(), 0.0);
  belief[question->state] = question->threshold;
  belief[question->other] = 1.0 - question->threshold;
  terms.inertia = 0.0;
  const DecisionContext context{.last_action = guideline.steps[0].action, .step = 1};
  const auto chances = action_probabilities(truth_.structure, agent.policy, belief, context);
  EXPECT_NEAR(chances[typing], chances[truth_.structure.find_action("stp-hlt")], 1e-12);
}

TEST_F(TreeGuideline, EndsWithTheThreeStops) {
  const GuidelineStep& typing = guideline_.steps[guideline_.steps[0].branches[1].next];
  EXPECT_FALSE(typing.question);  // three states are in play
  std::vector<std::string> ends;
  for (const GuidelineBranch& branch : typing.branches) ends.push_back(action(branch.next));
  EXPECT_THAT(ends, ::testing::IsSupersetOf({"stp-dsa", "stp-dsb", "stp-hlt"}));
  double share = typing.left_out;
  for (const GuidelineBranch& branch : typing.branches) share += branch.share;
  EXPECT_NEAR(share, 1.0, 1e-12);
}

TEST_F(TreeGuideline, CarriesTheIntervalOfTheDraws) {
  std::vector<AgentWorld> draws;
  const int typing = truth_.structure.find_action("tst-typ");
  for (int i = 0; i <= 100; ++i) {  // thresholds from 0.25 to 0.35
    AgentWorld draw{truth_.agent, {}};
    const double mean = 0.5 + 0.2 * i / 100.0;
    draw.agent.policy.means[typing * 5 + 1] = 1.0 - mean;
    draw.agent.policy.means[typing * 5 + 2] = mean;
    draws.push_back(std::move(draw));
  }
  GuidelineOptions options;
  options.level = 0.9;
  const Guideline guideline = guideline_of(truth_.structure, truth_.agent, draws, options);
  const auto& range = guideline.steps[0].question->range;
  ASSERT_TRUE(range);
  EXPECT_NEAR(range->low, 0.255, 1e-9);
  EXPECT_NEAR(range->middle, 0.30, 1e-9);
  EXPECT_NEAR(range->high, 0.345, 1e-9);
}

TEST(Guideline, SaysWhereItGoesOn) {
  const Model truth = bias().truth;  // monitoring may go on for long
  GuidelineOptions options;
  options.deepest = 2;
  const Guideline guideline = guideline_of(truth.structure, truth.agent, {}, options);
  int going_on = 0;
  for (const GuidelineStep& step : guideline.steps) {
    EXPECT_LE(step.depth, 2);
    going_on += step.goes_on ? 1 : 0;
  }
  EXPECT_GT(going_on, 0);
}

TEST(Guideline, NamesAResultForEveryBranch) {
  const Model truth = bias().truth;
  const Guideline guideline = guideline_of(truth.structure, truth.agent, {}, {});
  for (const GuidelineStep& step : guideline.steps) {
    for (const GuidelineBranch& branch : step.branches) {
      ASSERT_FALSE(branch.results.empty());
      for (const auto& result : branch.results) {
        EXPECT_GT(result.share, 0.0);
        EXPECT_LE(result.share, 1.0 + 1e-12);
      }
    }
  }
}

TEST(Guideline, KeepsToTheNumberOfEnds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    base::RandomStream random(seed);
    const Structure structure = testing::some_structure(3, 4, 5);
    const Parameters agent = testing::random_parameters(structure, random);
    GuidelineOptions options;
    options.most_ends = 6;
    const Guideline guideline = guideline_of(structure, agent, {}, options);
    int ends = 0;
    for (const GuidelineStep& step : guideline.steps) ends += step.branches.empty() ? 1 : 0;
    EXPECT_LE(ends, 6);
  }
}

TEST(Guideline, RefusesOptionsThatMakeNoSense) {
  GuidelineOptions options;
  options.deepest = 0;
  EXPECT_THROW(options.validate(), Error);
  options = {};
  options.least_share = 0.0;
  EXPECT_THROW(options.validate(), Error);
  options = {};
  options.level = 1.0;
  EXPECT_THROW(options.validate(), Error);
}

}  // namespace
}  // namespace interpole::explain
