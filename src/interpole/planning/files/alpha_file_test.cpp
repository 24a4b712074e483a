#include "interpole/planning/files/alpha_file.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

TEST(AlphaFile, IsActionLineVectorLineEmptyLine) {
  AlphaVectors vectors{2, {}, {}};
  vectors.add(1, std::vector{0.5, -100.0});
  vectors.add(0, std::vector{-1.0, 1e-7});
  EXPECT_EQ(format_alpha(vectors), "1\n0.5 -100\n\n0\n-1 1e-07\n\n");
}

TEST(AlphaFile, ReadsBackToTheSameBits) {
  ExactOptions options;
  options.horizon = 6;
  const auto vectors =
      solve_exact(testing::shared(testing::random_pomdp(1, 3, 3, 2, 0.95)), options).value.vectors();
  EXPECT_EQ(parse_alpha(format_alpha(vectors), "test", 3, 3), vectors);
  const std::string path = ::testing::TempDir() + "alpha_file_test.alpha";
  write_alpha(vectors, path);
  EXPECT_EQ(read_alpha(path, 3, 3), vectors);
}

void expect_alpha_refused(const std::string& text, const std::string& message) {
  EXPECT_EQ(base::complaint_of([&] { parse_alpha(text, "v.alpha", 2, 3); }), message);
}

TEST(AlphaFile, RefusesWhatIsNotAValueFunction) {
  expect_alpha_refused("", "v.alpha:1: no vectors; the file is empty");
  expect_alpha_refused(
      "0\n1 2\n\n3\n1 2\n",
      "v.alpha:4: \"3\" where the number of an action belongs; there are 3, numbered from 0");
  expect_alpha_refused(
      "-1\n1 2\n", "v.alpha:1: \"-1\" where the number of an action belongs; there are 3, numbered from 0");
  expect_alpha_refused(
      "listen\n1 2\n",
      "v.alpha:1: \"listen\" where the number of an action belongs; there are 3, numbered from 0");
  expect_alpha_refused("0\n1\n\n1\n2 3\n", "v.alpha:2: too few numbers; a vector has 2, one for each state");
  expect_alpha_refused("0\n1 2 3\n", "v.alpha:2: too many numbers; a vector has 2, one for each state");
  expect_alpha_refused("0\n1 nan\n", "v.alpha:2: too few numbers; a vector has 2, one for each state");
  expect_alpha_refused("0\n1 1e999\n", "v.alpha:2: \"1e999\" is too large or too small for a number");
  expect_alpha_refused("0", "v.alpha:1: too few numbers; a vector has 2, one for each state");
}

TEST(AlphaFile, HasNothingToSayWithoutDecisions) {
  EXPECT_THROW(format_alpha(AlphaVectors::zero(2)), Error);
}

}  // namespace
}  // namespace interpole::planning
