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
  // Tests may run side by side.
  std::string path_ = ::testing::TempDir() + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                      "_draws_file_test.csv";
  ~DrawsFile() override { std::filesystem::remove(path_); }

  AgentWorld draw(double missed, bool with_world) const {
    AgentWorld result{testing::bias_parameters(), {}};
    result.agent.dynamics.observation[2] = missed;
    result.agent.dynamics.observation[3] = 1.0 - missed;
    if (with_world) result.world = testing::bias_parameters().dynamics;
    return result;
  }

  std::string header(bool with_world) const {
    std::string line = "chain,iteration,log_posterior,divergent";
    for (const auto& name : agent_world_columns(structure_, with_world)) line += "," + base::csv_cell(name);
    return line + "\n";
  }

  static std::string row(const AgentWorld& agent_world) {
    std::string line = "1,1,-3.5,0";
    for (const double x : agent_world_values(agent_world)) {
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), ",%.17g", x);
      line += text.data();
    }
    return line + "\n";
  }

  std::vector<AgentWorld> read(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return read_draws(path_, structure_);
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
  const auto names = agent_world_columns(structure_, true);
  const AgentWorld both = draw(0.2, true);
  EXPECT_EQ(names.size(), agent_world_values(both).size());
  // 2 beliefs, 12 transitions, 4 outcomes of the one action that has any, 1 + 6 of the policy; the world's.
  EXPECT_EQ(names.size(), 25u + 18u);
  EXPECT_THAT(names, ::testing::Contains("observation[monitor,diseased,negative]"));
  EXPECT_THAT(names, ::testing::Contains("world.observation[monitor,diseased,negative]"));
  const auto at = std::find(names.begin(), names.end(), "observation[monitor,diseased,negative]");
  EXPECT_EQ(agent_world_values(both)[at - names.begin()], 0.2);
}

TEST_F(DrawsFile, ReadsWhatWasWrittenToTheLastBit) {
  for (const bool with_world : {false, true}) {
    const auto first = draw(0.1 + 0.2, with_world);
    const auto second = draw(1.0 / 3.0, with_world);
    EXPECT_THAT(read(header(with_world) + row(first) + row(second)), ElementsAre(first, second));
  }
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
  const auto names = agent_world_columns(structure_, false);
  const auto values = agent_world_values(one);
  for (std::size_t i = names.size(); i-- > 0;) {
    text += "," + base::csv_cell(names[i]);
    cells += "," + std::to_string(values[i]);
  }
  EXPECT_THAT(read(text + "\r\n" + cells + "\r\n"), ElementsAre(one));
}

TEST_F(DrawsFile, RefusesAMissingFile) {
  EXPECT_THROW(read_draws("none.csv", structure_), Error);
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

}  // namespace
}  // namespace interpole::learn
