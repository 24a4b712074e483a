#include "interpole/base/files/exact_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::base {
namespace {

using ::testing::HasSubstr;

TEST(ExactText, GivesBackTheSameBits) {
  const std::vector<double> values = {0.1,
                                      -1.0 / 3.0,
                                      0.0,
                                      -0.0,
                                      std::numeric_limits<double>::denorm_min(),
                                      -std::numeric_limits<double>::max(),
                                      INFINITY,
                                      -INFINITY};
  ExactWriter writer;
  writer.line("counts").add(std::int64_t{-7}).add(std::numeric_limits<std::int64_t>::max());
  writer.line("values").add(values);
  writer.line("nothing").add(NAN).add(std::vector<double>{});
  const std::string text = writer.take();

  ExactReader reader(text, "here");
  reader.line("counts");
  EXPECT_EQ(reader.integer(), -7);
  EXPECT_EQ(reader.integer(), std::numeric_limits<std::int64_t>::max());
  const auto read = reader.line("values").numbers();
  ASSERT_EQ(read.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(read[i], values[i]);
    EXPECT_EQ(std::signbit(read[i]), std::signbit(values[i]));
  }
  EXPECT_TRUE(std::isnan(reader.line("nothing").number()));
  EXPECT_TRUE(reader.numbers().empty());
  reader.expect_end();
}

template <class Read>
std::string refusal(const std::string& text, const Read& read) {
  ExactReader reader(text, "save.txt");
  return complaint_of([&] {
    read(reader);
    reader.expect_end();
  });
}

TEST(ExactText, RefusesWhatItDidNotWrite) {
  const auto one = [](ExactReader& reader) { reader.line("x").number(); };
  EXPECT_EQ(refusal("x 0x1p+0\n", one), "accepted");
  EXPECT_THAT(refusal("y 0x1p+0\n", one), HasSubstr("save.txt: \"x\" is missing"));
  EXPECT_THAT(refusal("", one), HasSubstr("is missing"));
  EXPECT_THAT(refusal("x 0x1p+0", one), HasSubstr("is missing"));  // the line break was cut off
  for (const char* bad : {"x 1.5\n", "x 0x\n", "x \n", "x\n", "x 0x1p+0z\n", "x 0x-1p+0\n", "x --0x1p+0\n"}) {
    EXPECT_THAT(refusal(bad, one), HasSubstr("no number")) << bad;
  }
  EXPECT_THAT(refusal("x 0x1p+0 0x1p+0\n", one), HasSubstr("something after"));
  EXPECT_THAT(refusal("x 0x1p+0\ny 1\n", one), HasSubstr("do not belong"));
  const auto list = [](ExactReader& reader) { reader.line("x").numbers(); };
  EXPECT_THAT(refusal("x 3 0x1p+0\n", list), HasSubstr("no number"));
  EXPECT_THAT(refusal("x 99999999999999 0x1p+0\n", list), HasSubstr("fewer numbers"));
  EXPECT_THAT(refusal("x -1\n", list), HasSubstr("fewer numbers"));
  const auto whole = [](ExactReader& reader) { reader.line("x").integer(); };
  EXPECT_THAT(refusal("x 1.5\n", whole), HasSubstr("no whole number"));
}

}  // namespace
}  // namespace interpole::base
