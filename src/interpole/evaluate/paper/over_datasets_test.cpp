#include "interpole/evaluate/paper/over_datasets.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace interpole::evaluate {
namespace {

// Quantiles as printed in tables of the distribution.
TEST(StudentT, MatchesPrintedTables) {
  EXPECT_NEAR(student_t(0.95, 1), 12.7062, 5e-5);
  EXPECT_NEAR(student_t(0.95, 2), 4.3027, 5e-5);
  EXPECT_NEAR(student_t(0.95, 3), 3.1824, 5e-5);
  EXPECT_NEAR(student_t(0.95, 4), 2.7764, 5e-5);
  EXPECT_NEAR(student_t(0.95, 9), 2.2622, 5e-5);
  EXPECT_NEAR(student_t(0.95, 30), 2.0423, 5e-5);
  EXPECT_NEAR(student_t(0.99, 10), 3.1693, 5e-5);
  EXPECT_NEAR(student_t(0.95, 100'000), 1.9600, 5e-5);
}

TEST(OverDatasets, GivesMeanIntervalAndRange) {
  const OverDatasets result = over_datasets({4.0, 1.0, 2.0, 3.0}, 0.0, 100.0);
  EXPECT_EQ(result.count, 4);
  EXPECT_DOUBLE_EQ(*result.mean, 2.5);
  EXPECT_DOUBLE_EQ(*result.median, 2.5);
  EXPECT_DOUBLE_EQ(*result.lowest, 1.0);
  EXPECT_DOUBLE_EQ(*result.highest, 4.0);
  EXPECT_NEAR(*result.deviation, std::sqrt(5.0 / 3.0), 1e-15);
  const double reach = 3.182446 * std::sqrt(5.0 / 3.0) / 2.0;
  EXPECT_NEAR(result.interval->low, 2.5 - reach, 1e-6);
  EXPECT_NEAR(result.interval->high, 2.5 + reach, 1e-6);
  EXPECT_DOUBLE_EQ(*over_datasets({5.0, 1.0, 2.0}, 0.0, 9.0).median, 2.0);
}

TEST(OverDatasets, CutsTheIntervalToWhatTheScoreCanBe) {
  const OverDatasets result = over_datasets({0.1, 0.9}, 0.0, 1.0);
  EXPECT_EQ(result.interval->low, 0.0);
  EXPECT_EQ(result.interval->high, 1.0);
}

TEST(OverDatasets, HasNoIntervalOfOneAndNothingOfNone) {
  const OverDatasets one = over_datasets({0.3}, 0.0, 1.0);
  EXPECT_EQ(one.mean, 0.3);
  EXPECT_EQ(one.median, 0.3);
  EXPECT_FALSE(one.interval || one.deviation);
  const OverDatasets none = over_datasets({}, 0.0, 1.0);
  EXPECT_EQ(none.count, 0);
  EXPECT_FALSE(none.mean || none.median || none.lowest || none.interval);
}

}  // namespace
}  // namespace interpole::evaluate
