#include "interpole/planning/files/alpha_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

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

TEST(AlphaFile, NumbersReadBackToTheSameBits) {
  ExactOptions options;
  options.horizon = 6;
  const auto vectors =
      solve_exact(testing::shared(testing::random_pomdp(1, 3, 3, 2, 0.95)), options).value.vectors();
  const std::string path = ::testing::TempDir() + "alpha_file_test.alpha";
  write_alpha(vectors, path);
  std::ifstream file(path);
  AlphaVectors read{3, {}, {}};
  std::vector<double> row(3);
  for (int action = 0; file >> action >> row[0] >> row[1] >> row[2];) read.add(action, row);
  EXPECT_EQ(read, vectors);
}

TEST(AlphaFile, HasNothingToSayWithoutDecisions) {
  EXPECT_THROW(format_alpha(AlphaVectors::zero(2)), Error);
}

}  // namespace
}  // namespace interpole::planning
