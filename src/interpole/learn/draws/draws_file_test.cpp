#include "interpole/learn/draws/draws_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/files/csv.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DrawsFile : public ::testing::Test {
 protected:
  Structure structure_ = testing::bias_study().structure;
  PolicyTerms terms_;  // of the model that the draws are of …
  std::vector<PolicyKind> other_kinds_;
  // Tests may run side by side.
  std::string path_ = ::testing::TempDir() + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                      "_draws_file_test.csv";
  ~DrawsFile() override { std::filesystem::remove(path_); }

  AgentWorld draw(double missed, bool with_world) const {
    AgentWorld result{testing::bias_parameters(), {}};
    result.agent.dynamics.observation[2] = missed;
    result.agent.dynamics.observation[3] = 1.0 - missed;
    if (with_world) result.world = testing::bias_parameters().dynamics;
    result.agent.policy.terms = terms_;
    result.agent.policy.other_kinds = other_kinds_;
    return result;
  }

  // … in a policy, whatever its numbers.
  Policy policy() const { return draw(0.2, false).agent.policy; }

  // Every kind of term. Nothing follows a terminal action: only weights after monitor are learned.
  static PolicyTerms some_terms() {
    PolicyTerms terms;
    terms.inertia = 0.2;
    terms.covariates = {{"sex", {"f", "m, or so"}}, {"age", {}, 60.0, 9.0}, {"time", {"A", "B"}}};
    terms.additive = {{TermKind::kHabit, -1, 0, {0.5, -0.25, -0.25, 0, 0, 0, 0, 0, 0}},
                      {TermKind::kTime, -1, 2, {1, -1, 0, -1, 1, 0}},
                      {TermKind::kResultMissing, -1, 0, {0.1, 0.2, -0.3}},
                      {TermKind::kContext, 1, 0, {1.0 / 3.0, -1.0 / 3.0, 0}},
                      {TermKind::kContext, 0, 0, {0.1, 0, -0.1, -0.1, 0, 0.1}},
                      {TermKind::kGroup, 2, 0, {2, 0, -2, -2, 0, 2}}};
    return terms;
  }

  std::string header(bool with_world) const {
    std::string line = "chain,iteration,log_posterior,divergent";
    for (const auto& name : agent_world_columns(structure_, policy(), with_world))
      line += "," + base::csv_cell(name);
    return line + "\n";
  }

  std::string row(const AgentWorld& agent_world) const {
    std::string line = "1,1,-3.5,0";
    for (const double x : agent_world_values(agent_world, !terms_.none())) {
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), ",%.17g", x);
      line += text.data();
    }
    return line + "\n";
  }

  std::vector<AgentWorld> read(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return read_draws(path_, structure_, policy());
  }

  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.what();
    }
    ADD_FAILURE() << "was read";
    return {};
  }
};

TEST_F(DrawsFile, NamesEveryNumberOnce) {
  const auto names = agent_world_columns(structure_, policy(), true);
  const AgentWorld both = draw(0.2, true);
  EXPECT_EQ(names.size(), agent_world_values(both, false).size());
  // 2 beliefs, 12 transitions, 4 outcomes of the one action that has any, 1 + 6 of the policy; the world's.
  EXPECT_EQ(names.size(), 25u + 18u);
  EXPECT_THAT(names, ::testing::Contains("observation[monitor,diseased,negative]"));
  EXPECT_THAT(names, ::testing::Contains("world.observation[monitor,diseased,negative]"));
  const auto at = std::find(names.begin(), names.end(), "observation[monitor,diseased,negative]");
  EXPECT_EQ(agent_world_values(both, false)[at - names.begin()], 0.2);
}

TEST_F(DrawsFile, ReadsWhatWasWrittenToTheLastBit) {
  for (const bool with_world : {false, true}) {
    const auto first = draw(0.1 + 0.2, with_world);
    const auto second = draw(1.0 / 3.0, with_world);
    EXPECT_THAT(read(header(with_world) + row(first) + row(second)), ElementsAre(first, second));
  }
}

TEST_F(DrawsFile, NamesTheNumbersOfTermsAfterThePolicy) {
  const auto without = agent_world_columns(structure_, policy(), true);
  terms_ = some_terms();
  auto names = agent_world_columns(structure_, policy(), true);
  EXPECT_EQ(names.size(), agent_world_values(draw(0.2, true), true).size());
  const auto first = std::find(names.begin(), names.end(), "means[declare-diseased,diseased]") + 1;
  const std::vector<std::string> of_terms(first, first + 2 + 3 + 6 + 3 + 3 + 6 + 6);
  names.erase(first, first + static_cast<std::ptrdiff_t>(of_terms.size()));
  EXPECT_EQ(names, without);
  EXPECT_EQ(of_terms[0], "inertia");
  EXPECT_EQ(of_terms[1], "lapse");
  EXPECT_EQ(of_terms[2], "habit[monitor,monitor]");
  EXPECT_EQ(of_terms[4], "habit[monitor,declare-diseased]");
  EXPECT_EQ(of_terms[5], "time[1,monitor]");
  EXPECT_EQ(of_terms[8], "time[2,monitor]");
  EXPECT_EQ(of_terms[11], "missing[monitor]");
  EXPECT_EQ(of_terms[14], "age[monitor]");
  EXPECT_EQ(of_terms[20], "sex[m, or so,monitor]");
  EXPECT_EQ(of_terms[23], "covariate.time[A,monitor]");  // a covariate that is called like a term
}

TEST_F(DrawsFile, ReadsTermsToTheLastBit) {
  terms_ = some_terms();
  for (const bool with_world : {false, true}) {
    const auto first = draw(0.1 + 0.2, with_world);
    auto second = draw(1.0 / 3.0, with_world);
    second.agent.policy.terms.inertia = 1.0 / 7.0;
    second.agent.policy.terms.additive[0].weights[1] = -0.1 - 0.2;
    second.agent.policy.terms.additive[5].weights[0] = 1.0 / 9.0;
    EXPECT_THAT(read(header(with_world) + row(first) + row(second)), ElementsAre(first, second));
  }
}

TEST_F(DrawsFile, RefusesDrawsOfOtherTerms) {
  const std::string without = header(false) + row(draw(0.2, false));
  terms_ = some_terms();
  const std::string with = header(false) + row(draw(0.2, false));
  EXPECT_THAT(refusal(without), HasSubstr("there is no column \"inertia\""));
  terms_.additive.erase(terms_.additive.begin() + 1);
  EXPECT_THAT(refusal(with), AllOf(HasSubstr("column \"time[1,monitor]\": the model has no such policy term"),
                                   HasSubstr("give draws of this model")));
  terms_ = {};
  EXPECT_THAT(refusal(with), HasSubstr("column \"inertia\": the model has no such policy term"));
}

TEST_F(DrawsFile, RefusesNumbersOfTermsThatMakeNoSense) {
  terms_ = some_terms();
  auto bad = draw(0.2, false);
  bad.agent.policy.terms.inertia = 1.5;
  EXPECT_THAT(refusal(header(false) + row(bad)),
              AllOf(HasSubstr("row 2"), HasSubstr("policy.inertia: 1.5 is not a share")));
}

TEST_F(DrawsFile, ReadsNamesWithCommasAndQuotesInThem) {
  structure_.states = {"mild, early", "so-called \"late\""};
  const auto one = draw(0.25, false);
  EXPECT_THAT(read(header(false) + row(one)), ElementsAre(one));
}

TEST_F(DrawsFile, TakesColumnsInAnyOrderAndIgnoresOthers) {
  const auto one = draw(0.25, false);
  std::string text = "scale[observation]";
  std::string cells = "0.3";
  const auto names = agent_world_columns(structure_, policy(), false);
  const auto values = agent_world_values(one, false);
  for (std::size_t i = names.size(); i-- > 0;) {
    text += "," + base::csv_cell(names[i]);
    cells += "," + std::to_string(values[i]);
  }
  EXPECT_THAT(read(text + "\r\n" + cells + "\r\n"), ElementsAre(one));
}

TEST_F(DrawsFile, RefusesAMissingFile) {
  EXPECT_THROW(read_draws("none.csv", structure_, policy()), Error);
}

TEST_F(DrawsFile, RefusesAnEmptyFileAndOneWithoutDraws) {
  EXPECT_THAT(refusal(""), AllOf(HasSubstr("draws_file_test.csv"), HasSubstr("empty")));
  EXPECT_THAT(refusal(header(false)), HasSubstr("no draws"));
}

TEST_F(DrawsFile, RefusesAMissingColumnByName) {
  std::string text = header(false);
  text.replace(text.find("means[monitor,healthy]"), 5, "moons");
  EXPECT_THAT(refusal(text + row(draw(0.2, false))),
              AllOf(HasSubstr("no column \"means[monitor,healthy]\""),
                    HasSubstr("did you mean \"moons[monitor,healthy]\"")));
}

TEST_F(DrawsFile, RefusesACellThatIsNotANumber) {
  for (const std::string bad : {"abc", "", "nan", "inf", "0.2x", " 0.2"}) {
    const std::string good = row(draw(0.2, false));
    // The second belief of the two: after four leading columns.
    std::string cells = "1,1,-3.5,0,0.5,";
    cells.append(bad).append(good.substr(good.find(",0.5,0.5,") + 8));
    EXPECT_THAT(refusal(header(false) + row(draw(0.3, false)) + cells),
                AllOf(HasSubstr("row 3"), HasSubstr("column \"initial_belief[diseased]\""),
                      HasSubstr("\"" + bad + "\" is not a finite number")))
        << bad;
  }
}

TEST_F(DrawsFile, RefusesRowsThatAreCutShort) {
  const std::string text = header(false) + row(draw(0.2, false));
  EXPECT_THAT(refusal(text.substr(0, text.size() - 10)), AllOf(HasSubstr("row 2"), HasSubstr("cells where")));
}

TEST_F(DrawsFile, RefusesProbabilitiesThatDoNotSumToOne) {
  auto bad = draw(0.2, true);
  bad.agent.dynamics.observation[2] = 0.3;
  EXPECT_THAT(refusal(header(true) + row(draw(0.2, true)) + row(bad)),
              AllOf(HasSubstr("row 3"), HasSubstr("observation[0][1]"), HasSubstr("1.1")));
  bad = draw(0.2, true);
  bad.world->initial = {0.5, 0.6};
  EXPECT_THAT(refusal(header(true) + row(bad)), AllOf(HasSubstr("row 2"), HasSubstr("world.initial_belief")));
}

TEST_F(DrawsFile, KeepsKindsOfDecisionMakers) {
  const Policy one = policy();
  other_kinds_ = {{0.25, 3.0, one.means}, {0.125, 4.0, one.means}};
  const auto names = agent_world_columns(structure_, policy(), false);
  EXPECT_NE(std::find(names.begin(), names.end(), "kind3.share"), names.end());
  const AgentWorld both = draw(0.2, true);
  const std::string text = header(true) + row(both);
  EXPECT_TRUE(read(text).at(0) == both);
  other_kinds_.clear();
  EXPECT_THAT(refusal(text), ::testing::HasSubstr("kind2.share"));
}

}  // namespace
}  // namespace interpole::learn
