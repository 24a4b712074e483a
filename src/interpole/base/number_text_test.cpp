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

}  // namespace
}  // namespace interpole::base
