// The short form of `make calibrate`: few sets, fixed seeds, levels far from what chance would do.
#include <gtest/gtest.h>

#include "interpole/learn/draws/calibration_testing.hpp"

namespace interpole::learn {
namespace {

using testing::calibrate;
using testing::CalibrationSetting;
using testing::uniformity;

constexpr int kBins = 10;
constexpr double kNever = 1e-3;  // under uniform ranks, one quantity in a thousand

double worst_uniformity(const CalibrationSetting& setting) {
  const auto result = calibrate(setting, 0);
  double worst = 1.0;
  for (const auto& ranks : result.ranks) worst = std::min(worst, uniformity(ranks, setting.kept, kBins));
  return worst;
}

CalibrationSetting short_setting(DynamicsMode dynamics) {
  CalibrationSetting setting;
  setting.dynamics = dynamics;
  setting.records = 12;  // few, so that the prior matters and a wrong one shows
  setting.longest = 5;
  setting.sets = 300;
  setting.warm_up = 150;
  setting.draws = 300;
  return setting;
}

TEST(Calibration, RanksAreUniformWithSharedDynamics) {
  EXPECT_GT(worst_uniformity(short_setting(DynamicsMode::kShared)), kNever);
}

TEST(Calibration, RanksAreUniformWithSubjectiveDynamics) {
  EXPECT_GT(worst_uniformity(short_setting(DynamicsMode::kSubjective)), kNever);
}

TEST(Calibration, RanksAreUniformWithCoupledDynamics) {
  EXPECT_GT(worst_uniformity(short_setting(DynamicsMode::kCoupled)), kNever);
}

TEST(Calibration, FailsIfTheJacobianIsForgotten) {
  auto setting = short_setting(DynamicsMode::kShared);
  setting.measure = Measure::kNatural;
  setting.concentration = setting.assumed_concentration = 1.5;  // a third of what is left without it
  EXPECT_LT(worst_uniformity(setting), kNever);
}

TEST(Calibration, FailsIfThePriorIsAnother) {
  auto setting = short_setting(DynamicsMode::kShared);
  setting.assumed_concentration = 1.0;
  EXPECT_LT(worst_uniformity(setting), kNever);
}

TEST(Uniformity, KnowsChiSquared) {
  // Quantiles from tables: 16.92 leaves 5% above with nine degrees of freedom, 21.67 leaves 1%.
  EXPECT_NEAR(testing::chi_squared_tail(16.919, 9), 0.05, 1e-4);
  EXPECT_NEAR(testing::chi_squared_tail(21.666, 9), 0.01, 1e-4);
}

}  // namespace
}  // namespace interpole::learn
