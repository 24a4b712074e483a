#include "interpole/data/tables/last_line.hpp"

#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::data {
namespace {

constexpr auto kLongestLine = static_cast<std::size_t>(LastLine::kLongest);

// Hands the text over in pieces of this size.
std::string complaint_about(const std::string& text, std::size_t piece) {
  return base::complaint_of([&] {
    LastLine line;
    for (std::size_t i = 0; i < text.size(); i += piece) line.take(std::string_view(text).substr(i, piece));
    line.check("t.csv");
  });
}

TEST(LastLine, IsTakenUpToTheLimitHoweverTheTextIsCut) {
  const std::string text =
      "a,b\n" + std::string(2 * kLongestLine, 'x') + "\n" + std::string(kLongestLine, 'y');
  for (const std::size_t piece : {std::size_t{1} << 18, std::size_t{999'983}, text.size()}) {
    EXPECT_EQ(complaint_about(text, piece), "accepted") << piece;
    EXPECT_EQ(complaint_about(text + "y\n", piece), "accepted") << piece;
    EXPECT_EQ(complaint_about(text + "y", piece),
              "t.csv: the last line is longer than 2 MB; look for a quote that is never closed, or for bytes "
              "that are not text")
        << piece;
  }
}

TEST(LastLine, OfNothingIsFine) {
  EXPECT_EQ(complaint_about("", 1), "accepted");
}

}  // namespace
}  // namespace interpole::data
