#include "interpole/report/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace interpole::report {
namespace {

TEST(Percent, RoundsToWholeButNeverToCertainty) {
  EXPECT_EQ(percent(0.0), "0%");
  EXPECT_EQ(percent(1e-300), "<1%");
  EXPECT_EQ(percent(0.004), "<1%");
  EXPECT_EQ(percent(0.4567), "46%");
  EXPECT_EQ(percent(0.9), "90%");
  EXPECT_EQ(percent(0.996), ">99%");
  EXPECT_EQ(percent(1.0), "100%");
}

TEST(FinePercent, HasOneDecimalWhereItSaysSomething) {
  EXPECT_EQ(fine_percent(0.9), "90%");
  EXPECT_EQ(fine_percent(0.2038), "20.4%");
  EXPECT_EQ(fine_percent(0.0002), "<0.1%");
  EXPECT_EQ(fine_percent(0.99995), ">99.9%");
}

TEST(Numbers, WriteNoNanAndNoInfinity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    EXPECT_EQ(percent(bad), "–");
    EXPECT_EQ(fine_percent(bad), "–");
    EXPECT_EQ(coordinate(bad), "0");
  }
}

TEST(Coordinate, HasAtMostTwoDecimals) {
  EXPECT_EQ(coordinate(12.0), "12");
  EXPECT_EQ(coordinate(12.345678), "12.35");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(100.0), "100");
}

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

TEST(Withheld, NothingWhereNoCountIsSmall) {
  EXPECT_EQ(withheld(std::vector<std::int64_t>{100, 0, 11}, 11), (std::vector<char>{0, 0, 0}));
}

}  // namespace
}  // namespace interpole::report
