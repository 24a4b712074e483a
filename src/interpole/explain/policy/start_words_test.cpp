#include "interpole/explain/policy/start_words.hpp"

#include <gmock/gmock.h>

namespace interpole::explain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Structure kWard = Structure::unrestricted({"well", "ill"}, {"wait", "test"}, {"low", "high"});

AgentWorld a_start(std::vector<StartTerm> start) {
  AgentWorld draw{Parameters::filled(kWard, 0.5), {}};
  draw.agent.dynamics.initial = {0.5, 0.5};
  draw.agent.dynamics.start = std::move(start);
  return draw;
}

TEST(StartWords, SayWhereEachCategoryAndANumberBegin) {
  const double w = 0.5 * std::log(3.0);  // odds of 3 to one
  const std::vector<AgentWorld> draws = {
      a_start({{0, {"sex", {"f", "m"}}, {-w, w, w, -w}}, {1, {"age", {}, 60.0, 10.0}, {-w, w}}})};
  const auto beliefs = starting_beliefs(kWard, draws);
  ASSERT_EQ(beliefs.size(), 4u + 6u);
  EXPECT_EQ(beliefs[1].level, "f");
  EXPECT_EQ(beliefs[1].state, "ill");
  EXPECT_NEAR(beliefs[1].belief.middle, 0.75, 1e-12);
  EXPECT_THAT(
      start_sentences(beliefs),
      ElementsAre(
          AllOf(HasSubstr("By sex, \"ill\" is believed at the start with 75.0% [75.0, 75.0] (f)"),
                HasSubstr("25.0% [25.0, 25.0] (m)")),
          AllOf(HasSubstr("By age, \"ill\""), HasSubstr("(50)"), HasSubstr("(60)"), HasSubstr("(70)"))));
}

TEST(StartWords, NameTheHighestAndTheLowestOfMany) {
  StartTerm term{0, {"site", {}}, {}};
  for (int i = 0; i < 8; ++i) {
    term.of.categories.push_back(std::string(1, static_cast<char>('a' + i)));
    term.weights.insert(term.weights.end(), {0.1 * i, -0.1 * i});
  }
  const auto sentences = start_sentences(starting_beliefs(kWard, {a_start({term})}));
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_THAT(sentences[0], AllOf(HasSubstr("(a)"), HasSubstr("(h)"), HasSubstr("for 6 others")));
}

TEST(StartWords, AreNoneWhereAllStartAlike) {
  EXPECT_THAT(starting_beliefs(kWard, {a_start({})}), IsEmpty());
  EXPECT_THAT(starting_beliefs(kWard, {}), IsEmpty());
  EXPECT_THAT(start_sentences({}), IsEmpty());
}

}  // namespace
}  // namespace interpole::explain
