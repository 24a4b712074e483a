#include "interpole/explain/checks/level_bins.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace interpole::explain {
namespace {

TEST(PoolTail, MakesOneLevelOfTheFirstSmallOneAndAllLater) {
  Levels levels{{0, 1, 2, 3, 4}, {"a", "b", "c", "d", "e"}};
  pool_tail(levels, {100, 50, 20, 15, 40}, " and later");
  EXPECT_EQ(levels.words, (std::vector<std::string>{"a", "b", "c and later"}));
  EXPECT_EQ(levels.of_site, (std::vector<std::int32_t>{0, 1, 2, 2, 2}));
}

TEST(PoolTail, AddsARestThatIsTooSmallToTheLevelBefore) {
  Levels levels{{0, 1, 2}, {"a", "b", "c"}};
  pool_tail(levels, {100, 50, 20}, " and later");
  EXPECT_EQ(levels.words, (std::vector<std::string>{"a", "b and later"}));
  EXPECT_EQ(levels.of_site, (std::vector<std::int32_t>{0, 1, 1}));
}

TEST(PoolTail, LeavesNothingOfTooFewDecisions) {
  Levels levels{{0, 1}, {"a", "b"}};
  pool_tail(levels, {10, 5}, " and later");
  EXPECT_TRUE(levels.words.empty());
  EXPECT_EQ(levels.of_site, (std::vector<std::int32_t>{-1, -1}));
}

TEST(PoolSmall, PutsSmallLevelsTogether) {
  Levels levels{{0, 1, 2, -1, 3}, {"a", "b", "c", "d"}};
  pool_small(levels, {100, 20, 40, 9, 15}, "rest");
  EXPECT_EQ(levels.words, (std::vector<std::string>{"a", "c", "rest"}));
  EXPECT_EQ(levels.of_site, (std::vector<std::int32_t>{0, 2, 1, -1, 2}));
}

TEST(PoolSmall, LeavesOutARestThatIsStillSmall) {
  Levels levels{{0, 1}, {"a", "b"}};
  pool_small(levels, {100, 20}, "rest");
  EXPECT_EQ(levels.words, (std::vector<std::string>{"a"}));
  EXPECT_EQ(levels.of_site, (std::vector<std::int32_t>{0, -1}));
}

TEST(QuantileBins, HoldAboutEquallyManyAndKeepEqualValuesTogether) {
  const Levels levels = quantile_bins({3, 1, NAN, 2, 1, 4}, {10, 5, 100, 10, 5, 10}, 4);
  EXPECT_EQ(levels.of_site, (std::vector<std::int32_t>{2, 0, -1, 1, 0, 3}));
  EXPECT_EQ(levels.words[1], "from 2 to 2");
}

}  // namespace
}  // namespace interpole::explain
