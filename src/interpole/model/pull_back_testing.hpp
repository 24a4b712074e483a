// A gradient in coordinates beside central differences, for tests of the spaces.
#pragma once

#include <gtest/gtest.h>

#include <vector>

namespace interpole::model {

// `value` of a point, whose gradient at y this is said to be.
template <class Value>
void expect_slopes(const std::vector<double>& gradient, const std::vector<double>& y, const Value& value) {
  ASSERT_EQ(gradient.size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::vector<double> up = y;
    std::vector<double> down = y;
    up[i] += 1e-5;
    down[i] -= 1e-5;
    EXPECT_NEAR(gradient[i], (value(up) - value(down)) / 2e-5, 1e-9) << i;
  }
}

}  // namespace interpole::model
