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

}  // namespace
}  // namespace interpole::report
