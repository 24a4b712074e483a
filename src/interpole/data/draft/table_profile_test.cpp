#include "interpole/data/draft/table_profile.hpp"

#include <gmock/gmock.h>

#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class TableProfileTest : public MappedTest {
 protected:
  std::string lines(const std::string& header, int count, const std::function<std::string(int)>& line) {
    std::string text = header + "\n";
    for (int i = 0; i < count; ++i) text += line(i) + "\n";
    return file("t.csv", text);
  }
};

std::vector<std::string> texts(const std::vector<CellCount>& cells) {
  std::vector<std::string> result;
  result.reserve(cells.size());
  for (const CellCount& cell : cells) result.push_back(cell.text);
  return result;
}

TEST_F(TableProfileTest, CountsCellsByKind) {
  const ProfiledTable table(lines("id,score,day,word", 40, [](int i) {
    return joined(i / 2, ",", i % 4 == 0 ? "" : std::to_string(i), ",2020-01-", 10 + i % 10, ",w", i % 3);
  }));
  const TableProfile& profile = table.profile();
  EXPECT_EQ(profile.rows, 40);
  EXPECT_TRUE(profile.whole);
  const ColumnProfile& score = profile.columns[1];
  EXPECT_EQ(score.filled, 30);
  EXPECT_EQ(score.distinct, 30);
  EXPECT_TRUE(score.is_numeric());
  EXPECT_EQ(score.minimum, 1.0);
  EXPECT_EQ(score.maximum, 39.0);
  EXPECT_THAT(score.categories, IsEmpty());
  EXPECT_TRUE(profile.find("day")->is_date());
  EXPECT_FALSE(profile.find("word")->is_numeric());
  EXPECT_THAT(texts(profile.find("word")->categories), ElementsAre("w0", "w1", "w2"));
  EXPECT_EQ(profile.find("none"), nullptr);
}

TEST_F(TableProfileTest, KeepsNoRareText) {
  const ProfiledTable table(lines("id,word", 30, [](int i) {
    return joined("p", i, ",", i < 11 ? "often" : i < 21 ? "ten" : "nine");
  }));
  EXPECT_THAT(table.profile().columns[0].categories, IsEmpty());
  EXPECT_THAT(texts(table.profile().columns[1].categories), ElementsAre("often"));
  EXPECT_EQ(table.profile().columns[1].rare(), 19);
}

TEST_F(TableProfileTest, TellsCodesForNoValueFromValues) {
  // -4 and 999 lie outside what is measured in `size`; -1 is one of three values of `change`, and -4 lies
  // inside the range of `balance`. Words are codes anywhere.
  const ProfiledTable table(lines("size,change,balance,sex", 60, [](int i) {
    const std::string size = i == 0 ? "-4" : i == 1 ? "999" : i == 2 ? "NA" : std::to_string(100 + i);
    return joined(size, ",", i % 3 - 1, ",", i - 30, ",", i == 5 ? "-4" : i % 2 == 0 ? "F" : "M");
  }));
  const auto& columns = table.profile().columns;
  EXPECT_THAT(texts(columns[0].missing_codes), ElementsAre("-4", "999", "NA"));
  EXPECT_EQ(columns[0].filled, 57);
  EXPECT_TRUE(columns[0].is_numeric());
  EXPECT_THAT(columns[1].missing_codes, IsEmpty());
  EXPECT_EQ(columns[1].distinct, 3);
  EXPECT_EQ(columns[1].minimum, -1.0);
  EXPECT_EQ(columns[1].rare(), 0);
  EXPECT_THAT(columns[2].missing_codes, IsEmpty());
  EXPECT_THAT(columns[2].meant_codes, ElementsAre("-1", "-4", "-9"));
  EXPECT_THAT(texts(columns[3].missing_codes), ElementsAre("-4"));
}

TEST_F(TableProfileTest, TakesCodesAsTheyStandIfAskedTo) {
  const ProfiledTable table(lines("word", 22, [](int i) { return i % 2 == 0 ? "NA" : "yes"; }),
                            ProfiledTable::Codes::kIgnore);
  EXPECT_THAT(texts(table.profile().columns[0].categories), ElementsAre("NA", "yes"));
  EXPECT_THAT(table.profile().columns[0].missing_codes, IsEmpty());
}

TEST_F(TableProfileTest, AnswersHowColumnsHangTogether) {
  const ProfiledTable table(file("t.csv",
                                 "id,visit,age,act,size\n"
                                 "1,1,50,no,\n1,2,50,yes,3\n2,1,60,no,NA\n2,2,,no,\n2,2,60,yes,5\n"));
  EXPECT_EQ(table.repeated({"id", "visit"}), 1);
  EXPECT_EQ(table.repeated({"id", "size"}), 0);
  EXPECT_EQ(table.varies_within("age", "id"), 0);
  EXPECT_EQ(table.varies_within("visit", "id"), 2);
  EXPECT_THAT(table.filled_by("size", "act", {"no", "yes", "perhaps"}),
              ElementsAre(Pair(3, 0), Pair(2, 2), Pair(0, 0)));
}

TEST_F(TableProfileTest, FindsQuantilesThatLeaveALevelEmpty) {
  const ProfiledTable table(lines("even,zeros,top,two", 30, [](int i) {
    return joined(i, ",", i < 22 ? 0 : i, ",", i < 5 ? i : 7, ",", i < 20 ? 2 : 3);
  }));
  EXPECT_TRUE(table.quantiles_separate("even", {0.33, 0.67}));
  EXPECT_FALSE(table.quantiles_separate("zeros", {0.33, 0.67}));
  EXPECT_TRUE(table.quantiles_separate("zeros", {0.5}));
  EXPECT_FALSE(table.quantiles_separate("top", {0.5}));
  // Cut at 2 and between 2 and 3: nothing lies between the cuts.
  EXPECT_FALSE(table.quantiles_separate("two", {0.33, 0.67}));
  EXPECT_TRUE(table.quantiles_separate("two", {0.5}));
}

TEST_F(TableProfileTest, FindsActionsThatEndRecords) {
  const ProfiledTable table(file("t.csv",
                                 "patient,step,action,observation\n"
                                 "p,1,watch,a\np,2,stop,\nq,9,watch,\nq,10,stop,\nr,1,test,\nr,2,test,a\n"),
                            ProfiledTable::Codes::kIgnore);
  EXPECT_EQ(table.goes_on_after("stop"), 0);
  EXPECT_EQ(table.goes_on_after("watch"), 2);
  EXPECT_EQ(table.goes_on_after("test"), 2);
}

TEST_F(TableProfileTest, ATableWithoutRowsIsAProfileToo) {
  const ProfiledTable table(file("t.csv", "id,visit\n"));
  EXPECT_EQ(table.profile().rows, 0);
  EXPECT_FALSE(table.profile().columns[0].is_numeric());
  EXPECT_FALSE(table.quantiles_separate("id", {0.5}));
}

}  // namespace
}  // namespace interpole::data
