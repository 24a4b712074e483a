#include "interpole/base/quantile.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace interpole::base {
namespace {

TEST(QuantileOfSorted, IsLinearBetweenOrderStatistics) {
  const std::vector<double> values = {1.0, 2.0, 4.0, 8.0, 16.0};
  EXPECT_EQ(quantile_of_sorted(values, 0.0), 1.0);
  EXPECT_EQ(quantile_of_sorted(values, 0.5), 4.0);
  EXPECT_EQ(quantile_of_sorted(values, 0.625), 6.0);
  EXPECT_EQ(quantile_of_sorted(values, 1.0), 16.0);
}

TEST(QuantileOfSorted, OfOneValueIsThatValue) {
  EXPECT_EQ(quantile_of_sorted(std::vector<double>{3.0}, 0.9), 3.0);
}

}  // namespace
}  // namespace interpole::base
