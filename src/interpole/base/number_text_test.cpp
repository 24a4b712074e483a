#include "interpole/base/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace interpole::base {
namespace {

TEST(NumberIn, TakesWholeFiniteNumbersOnly) {
  EXPECT_EQ(number_in("-2.5e3"), -2500.0);
  EXPECT_EQ(number_in("0"), 0.0);
  for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "+1", "nan", "inf", "1e999", "1e"}) {
    EXPECT_FALSE(number_in(text)) << text;
  }
}

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

TEST(Percent, WritesNoNanAndNoInfinity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    EXPECT_EQ(percent(bad), "–");
    EXPECT_EQ(fine_percent(bad), "–");
  }
}

TEST(PercentWords, NeverRoundToCertainty) {
  EXPECT_EQ(percent_words(0.0), "0%");
  EXPECT_EQ(percent_words(1e-9), "under 1%");
  EXPECT_EQ(percent_words(0.9999), "over 99%");
  EXPECT_EQ(percent_words(1.0), "100%");
  EXPECT_EQ(percent_words(0.994), "99%");
}

TEST(Grouped, SeparatesThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(7926), "7,926");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-1234), "-1,234");
}

TEST(Counted, HasOneWithoutAnS) {
  EXPECT_EQ(counted(1, "visit"), "1 visit");
  EXPECT_EQ(counted(0, "visit"), "0 visits");
  EXPECT_EQ(counted(1200, "visit"), "1,200 visits");
}

}  // namespace
}  // namespace interpole::base
