#include "interpole/evaluate/paper/over_datasets.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace interpole::evaluate {
namespace {

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
