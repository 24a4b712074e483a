#include "interpole/learn/posterior/log_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace interpole::learn {
namespace {

TEST(LogSum, AddsWeightsOfAnySize) {
  EXPECT_DOUBLE_EQ(log_sum({std::log(2.0), std::log(3.0)}), std::log(5.0));
  EXPECT_DOUBLE_EQ(log_sum({-5000.0, -5000.0}), -5000.0 + std::log(2.0));
  EXPECT_DOUBLE_EQ(log_sum({5000.0, -5000.0}), 5000.0);
}

TEST(LogSum, OfNothingIsNothing) {
  EXPECT_EQ(log_sum({}), -INFINITY);
  EXPECT_EQ(log_sum({-INFINITY, -INFINITY}), -INFINITY);
  EXPECT_DOUBLE_EQ(log_sum({-INFINITY, 1.0}), 1.0);
}

}  // namespace
}  // namespace interpole::learn
