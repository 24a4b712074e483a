#include "interpole/base/number_text.hpp"

#include <gtest/gtest.h>

namespace interpole::base {
namespace {

TEST(NumberIn, TakesWholeFiniteNumbersOnly) {
  EXPECT_EQ(number_in("-2.5e3"), -2500.0);
  EXPECT_EQ(number_in("0"), 0.0);
  for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "+1", "nan", "inf", "1e999", "1e"}) {
    EXPECT_FALSE(number_in(text)) << text;
  }
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
