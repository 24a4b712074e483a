#include "interpole/report/drawing/markup.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace interpole::report {
namespace {

TEST(Escaped, MakesMarkupInert) {
  EXPECT_EQ(escaped("<script>"), "&lt;script&gt;");
  EXPECT_EQ(escaped("\"><img src='x'>"), "&quot;&gt;&lt;img src=&#39;x&#39;&gt;");
  EXPECT_EQ(escaped("a & b &amp;"), "a &amp; b &amp;amp;");
}

TEST(Escaped, KeepsLettersOfAllAlphabets) {
  EXPECT_EQ(escaped("Ménière η 糖尿病 🙂"), "Ménière η 糖尿病 🙂");
}

TEST(Escaped, ReplacesWhatWouldDisturbTheText) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped(std::string_view("a\0b\x1b", 4)), "a" + bad + "b" + bad);
  EXPECT_EQ(escaped("\xE2\x80\xAEgnp"), bad + "gnp");   // right-to-left override
  EXPECT_EQ(escaped("\xff\xC0\xAF"), bad + bad + bad);  // not UTF-8
  EXPECT_EQ(escaped("\xE2\x80"), bad + bad);            // cut short
  EXPECT_EQ(escaped("\xED\xA0\x80"), bad + bad + bad);  // half a surrogate pair
  EXPECT_EQ(escaped("one\ntwo\tthree"), "one two three");
}

TEST(Coordinate, HasAtMostTwoDecimals) {
  EXPECT_EQ(coordinate(12.0), "12");
  EXPECT_EQ(coordinate(12.345678), "12.35");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(100.0), "100");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) EXPECT_EQ(coordinate(bad), "0");
}

}  // namespace
}  // namespace interpole::report
