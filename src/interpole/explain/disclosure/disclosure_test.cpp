#include "interpole/explain/disclosure/disclosure.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "interpole/explain/disclosure/disclosure_json.hpp"

namespace interpole::explain {
namespace {

TEST(SafeCount, WithholdsOneToTen) {
  EXPECT_EQ(safe_count(0, 11), "0");
  EXPECT_EQ(safe_count(1, 11), "<11");
  EXPECT_EQ(safe_count(10, 11), "<11");
  EXPECT_EQ(safe_count(11, 11), "11");
  EXPECT_EQ(safe_count(1, 0), "1");
}

TEST(Withheld, HidesASecondCountSoThatTheFirstCannotBeWorkedOut) {
  EXPECT_EQ(withheld(std::vector<std::int64_t>{100, 5, 50, 0}, 11), (std::vector<char>{0, 1, 1, 0}));
}

TEST(Withheld, TwoSmallCountsThatTogetherAreLargeHideEachOther) {
  EXPECT_EQ(withheld(std::vector<std::int64_t>{100, 8, 9}, 11), (std::vector<char>{0, 1, 1}));
}

TEST(Withheld, TwoTinyCountsNeedAThird) {
  EXPECT_EQ(withheld(std::vector<std::int64_t>{100, 1, 1, 40}, 11), (std::vector<char>{0, 1, 1, 1}));
}

// What is withheld is at least 1: three that add up to three are 1 each.
TEST(Withheld, CountsOfOneDoNotFollowFromTheirNumber) {
  EXPECT_EQ(withheld(std::vector<std::int64_t>{50, 1, 1, 1, 40}, 3), (std::vector<char>{0, 1, 1, 1, 1}));
}

TEST(Withheld, NothingWhereNoCountIsSmall) {
  EXPECT_EQ(withheld(std::vector<std::int64_t>{100, 0, 11}, 11), (std::vector<char>{0, 0, 0}));
}

TEST(CountJson, FromOneToBelowTheSmallestCellIsNull) {
  EXPECT_EQ(count_json(0, 11), nlohmann::ordered_json(0));
  EXPECT_TRUE(count_json(1, 11).is_null());
  EXPECT_TRUE(count_json(10, 11).is_null());
  EXPECT_EQ(count_json(11, 11), nlohmann::ordered_json(11));
  EXPECT_EQ(count_json(1, 0), nlohmann::ordered_json(1));
}

TEST(WithoutSmallCounts, ReachesEveryDepthAndLeavesTheRest) {
  const auto json = nlohmann::ordered_json::parse(
      R"({"data": [{"patients": 7, "decisions": 40}], "histories": 3, "seed": 7, "patients": "seven"})");
  EXPECT_EQ(without_small_counts(json, 11).dump(),
            R"({"data":[{"patients":null,"decisions":40}],"histories":null,"seed":7,"patients":"seven"})");
}

TEST(Withheld, FewPeopleBehindManyVisitsAreFew) {
  const std::vector<std::int64_t> visits = {100, 40, 60};
  EXPECT_EQ(withheld(visits, std::vector<std::int64_t>{80, 30, 50}, 11), (std::vector<char>{0, 0, 0}));
  EXPECT_EQ(withheld(visits, std::vector<std::int64_t>{80, 3, 50}, 11), (std::vector<char>{0, 1, 1}));
}

TEST(NamedGroups, PutsSmallOnesTogether) {
  const NamedGroups named = named_groups({{"a", 30}, {"b", 6}, {"c", 20}, {"d", 5}}, 11);
  EXPECT_EQ(named.names, (std::vector<std::string>{"a", "c", "2 small groups together"}));
  EXPECT_EQ(named.place, (std::map<std::string, int>{{"a", 0}, {"b", 2}, {"c", 1}, {"d", 2}}));
  EXPECT_FALSE(named.left_out);
}

TEST(NamedGroups, LeavesThemOutIfTheyAreFewEvenTogether) {
  const NamedGroups named = named_groups({{"a", 30}, {"b", 6}}, 11);
  EXPECT_EQ(named.names, (std::vector<std::string>{"a"}));
  EXPECT_FALSE(named.place.contains("b"));
  EXPECT_TRUE(named.left_out);
}

}  // namespace
}  // namespace interpole::explain
