#include "interpole/service/explain/history_rows.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::service {
namespace {

constexpr int kStop = 1;        // the action that ends a record
constexpr int kImpossible = 1;  // the outcome that cannot be

// A belief is how many steps were taken. Counts how often it is asked.
class HistoryRowsTest : public testing::Test {
 protected:
  HistoryRows rows(HistoryRows::Options options) {
    return {path_,
            "patient,step,what",
            structure_,
            [](std::span<const double>) { return std::vector<double>{0.0}; },
            [this](std::span<const double> belief, Step step, const DecisionContext&) {
              ++asked_;
              HistoryRows::Entry entry;
              entry.text = "," + std::to_string(static_cast<int>(belief[0])) +
                           structure_.actions[step.action] + std::to_string(step.observation) + "\n";
              if (step.action != kStop) entry.after = {belief[0] + 1.0};
              entry.impossible = step.observation == kImpossible;
              return entry;
            },
            options};
  }

  static std::optional<std::size_t> add(HistoryRows& rows, const std::string& patient,
                                        const std::vector<Step>& steps,
                                        const std::vector<std::string>& visits = {}) {
    std::vector<std::int64_t> numbers;
    for (std::size_t t = 0; t < steps.size(); ++t) numbers.push_back(static_cast<std::int64_t>(t) + 1);
    return rows.add({patient, steps, numbers, visits});
  }

  std::string written() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

  Structure structure_ = Structure::unrestricted({"s"}, {"go", "stop"}, {"fine", "never"});
  const base::TemporaryFolder folder_;
  const std::string path_ = folder_.file("rows.csv");
  int asked_ = 0;
};

TEST_F(HistoryRowsTest, AsksOnceForEachHistory) {
  HistoryRows table = rows({});
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(add(table, "a,b", {{0, 0}, {0, kMissing}, {kStop, kMissing}}));
    EXPECT_FALSE(add(table, "c", {{0, 0}, {kStop, kMissing}}));
  }
  table.commit();
  EXPECT_EQ(asked_, 4);
  EXPECT_TRUE(written().starts_with(
      "patient,step,what\n\"a,b\",1,0go0\n\"a,b\",2,1go-1\n\"a,b\",3,2stop-1\nc,1,0go0\nc,2,1stop-1\n"
      "\"a,b\",1,0go0\n"));
}

TEST_F(HistoryRowsTest, NamesVisits) {
  HistoryRows table = rows({.name_visits = true});
  add(table, "p", {{0, 0}, {0, 0}}, {"bl", "m,06"});
  add(table, "q", {{0, 0}});
  table.commit();
  EXPECT_EQ(written(), "patient,step,what\np,1,bl,0go0\np,2,\"m,06\",1go0\nq,1,,0go0\n");
}

TEST_F(HistoryRowsTest, SaysWhichOutcomeIsImpossible) {
  HistoryRows table = rows({});
  EXPECT_EQ(add(table, "p", {{0, 0}, {0, kImpossible}, {0, 0}}), 1U);
  EXPECT_EQ(add(table, "q", {{0, 0}, {0, kImpossible}}), 1U);  // from memory
}

// Many more histories than the table of them begins with, with all the memory in the world and with hardly
// any.
TEST_F(HistoryRowsTest, WritesTheSameWithoutMemory) {
  std::vector<std::string> texts;
  for (const std::size_t most : {std::size_t{1} << 30, std::size_t{3000}, std::size_t{0}}) {
    HistoryRows table = rows({.name_visits = false, .most_bytes = most});
    for (int i = 0; i < 6000; ++i) {
      std::vector<Step> steps;
      steps.reserve(12);
      for (int bit = 0; bit < 12; ++bit) steps.push_back({0, (i >> bit & 1) != 0 ? 0 : kMissing});
      add(table, std::to_string(i), steps);
    }
    table.commit();
    texts.push_back(written());
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

}  // namespace
}  // namespace interpole::service
