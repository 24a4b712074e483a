#include "interpole/learn/labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/learn/study_testing.hpp"

namespace interpole {
namespace {

using ::testing::HasSubstr;

TEST(Labels, SwapStatesSoThatTheHintedOutcomeRises) {
  const Study study = testing::bias_study();
  const Parameters right = testing::bias_parameters();
  Parameters swapped = permute_states(study.structure, right, {1, 0});
  ASSERT_NE(swapped, right);
  const auto report = align_labels(study, swapped);
  EXPECT_EQ(swapped, right);
  EXPECT_TRUE(report.by_hint);
  EXPECT_FALSE(report.ambiguous);
  EXPECT_THAT(report.sentence, HasSubstr("positive"));
}

TEST(Labels, AreAmbiguousWhenTheHintedOutcomeHardlyDiffers) {
  const Study study = testing::bias_study();
  Parameters p = testing::bias_parameters();
  p.dynamics.observation = {0.500, 0.500, 0.495, 0.505, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto report = align_labels(study, p);
  EXPECT_TRUE(report.ambiguous);
  EXPECT_THAT(report.sentence, HasSubstr("0.005"));
}

TEST(Labels, AreAmbiguousWithoutAHint) {
  Study study = testing::bias_study();
  study.labels.reset();
  Parameters p = testing::bias_parameters();
  EXPECT_TRUE(align_labels(study, p).ambiguous);
}

TEST(Labels, AreFixedByKnownValuesThatTellStatesApart) {
  Study study = testing::bias_study();
  study.known.dynamics.initial = {0.9, 0.1};
  Parameters p = testing::bias_parameters();
  const auto report = align_labels(study, p);
  EXPECT_TRUE(report.fixed);
  EXPECT_FALSE(report.ambiguous);
  EXPECT_EQ(allowed_relabellings(study).size(), 1u);
}

TEST(Labels, EveryRelabellingIsAllowedWhenNothingIsKnown) {
  EXPECT_EQ(allowed_relabellings(testing::open_study(4, 2, 2)).size(), 24u);
}

}  // namespace
}  // namespace interpole
