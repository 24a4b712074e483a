#include "interpole/explain/policy/term_words.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/model/policy_terms.hpp"

namespace interpole::explain {
namespace {

Structure small_ward() {
  Structure structure = Structure::unrestricted({"well", "ill"}, {"wait", "test", "treat"}, {"low", "high"});
  structure.make_terminal(2);
  return structure;
}

std::vector<AgentWorld> draws_of(const Structure& structure, const PolicyTerms& terms) {
  AgentWorld draw{Parameters::filled(structure, 0.5), {}};
  draw.agent.policy.terms = terms;
  return {draw, draw, draw};
}

TEST(TermWords, SayHowMuchMoreLikelyARepeatIs) {
  const Structure structure = small_ward();
  PolicyTerms terms;
  terms.inertia = 0.2;
  terms.additive = {model::term_filled(structure, terms, TermKind::kHabit, 0.0)};
  const double w = std::log(3.0);  // odds of a test against both others: 3 · 3^(1/2)
  terms.additive[0].weights = {0, 0, 0, -w / 2.0, w, -w / 2.0, 0, 0, 0};
  const auto effects = term_effects(structure, draws_of(structure, terms));
  ASSERT_EQ(effects.size(), 1u + 2u * 3u);
  EXPECT_EQ(effects[0].term, "inertia");
  EXPECT_NEAR(effects[0].size.middle, 0.2, 1e-12);
  EXPECT_EQ(effects[5].level, "after test");
  EXPECT_EQ(effects[5].action, "test");
  EXPECT_NEAR(effects[5].size.middle, std::pow(3.0, 1.5), 1e-12);
  const auto sentences = term_sentences(effects, 1);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0],
            "In 20.0% [20.0, 20.0] of decisions after the first, the last action is taken again, whatever is "
            "believed");
  EXPECT_EQ(
      sentences[1],
      "After \"test\", the odds of \"test\" are 5.20 [5.20, 5.20] times what they are after any action on "
      "average, whatever is believed");
}

TEST(TermWords, SpeakOfOneActionWhereThereAreTwo) {
  const Structure structure = Structure::unrestricted({"well", "ill"}, {"wait", "order"}, {"low", "high"});
  PolicyTerms terms;
  terms.covariates = {{"age", {}, 60.0, 12.0}};
  terms.additive = {model::term_filled(structure, terms, TermKind::kContext, 0.0, 0)};
  terms.additive[0].weights = {-0.1, 0.1};
  const auto effects = term_effects(structure, draws_of(structure, terms));
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0].sentence,
            "For every 12 more of age, the odds of \"order\" are 1.22 [1.22, 1.22] times as high at the same "
            "belief");
}

}  // namespace
}  // namespace interpole::explain
