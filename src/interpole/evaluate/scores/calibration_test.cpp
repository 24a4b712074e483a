#include "interpole/evaluate/scores/calibration.hpp"

#include <gtest/gtest.h>

namespace interpole::evaluate {
namespace {

TEST(Calibration, SortsPredictionsIntoBins) {
  const std::vector<WeightedScore> scores = {{0.0, 0, 4}, {0.05, 1, 1}, {0.25, 1, 3}, {1.0, 2, 0}};
  const auto curve = calibration_curve(scores);
  ASSERT_EQ(curve.size(), 10u);
  EXPECT_EQ(curve[0].decisions, 6.0);
  EXPECT_DOUBLE_EQ(curve[0].predicted, 0.1 / 6.0);
  EXPECT_DOUBLE_EQ(curve[0].observed, 1.0 / 6.0);
  EXPECT_EQ(curve[1].decisions, 0.0);
  EXPECT_DOUBLE_EQ(curve[2].observed, 0.25);
  EXPECT_EQ(curve[9].decisions, 2.0);  // up to 1
  const double error = (6.0 * (1.0 / 6.0 - 0.1 / 6.0) + 0.0 + 0.0) / 12.0;
  EXPECT_DOUBLE_EQ(*expected_calibration_error(curve), error);
}

TEST(Calibration, EdgesBelongToTheBinBelow) {
  for (int i = 1; i < 10; ++i) {
    const double edge = static_cast<double>(i) / 10;
    const std::vector<WeightedScore> scores = {{edge, 1, 0}};
    EXPECT_EQ(calibration_curve(scores)[i - 1].decisions, 1.0) << edge;
  }
}

TEST(Calibration, IsZeroForPredictionsThatComeTrueAsOftenAsTheySay) {
  const std::vector<WeightedScore> scores = {{0.2, 2, 8}, {0.75, 6, 2}};
  EXPECT_NEAR(*expected_calibration_error(calibration_curve(scores)), 0.0, 1e-15);
  EXPECT_FALSE(expected_calibration_error(calibration_curve({})));
}

}  // namespace
}  // namespace interpole::evaluate
