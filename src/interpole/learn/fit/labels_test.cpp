#include "interpole/learn/fit/labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using ::testing::HasSubstr;

HistoryTree no_data() {
  return HistoryTreeBuilder(3).build();
}

TEST(Labels, SwapStatesSoThatTheHintedOutcomeRises) {
  const Study study = testing::bias_study();
  const Parameters right = testing::bias_parameters();
  Parameters swapped = permute_states(study.structure, right, {1, 0});
  ASSERT_NE(swapped, right);
  const auto report = align_labels(no_data(), study, swapped);
  EXPECT_EQ(swapped, right);
  EXPECT_TRUE(report.by_hint);
  EXPECT_FALSE(report.ambiguous);
  EXPECT_THAT(report.sentence, HasSubstr("positive"));
}

TEST(Labels, AreAmbiguousWhenTheHintedOutcomeHardlyDiffers) {
  const Study study = testing::bias_study();
  Parameters p = testing::bias_parameters();
  p.dynamics.observation = {0.500, 0.500, 0.495, 0.505, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto report = align_labels(no_data(), study, p);
  EXPECT_TRUE(report.ambiguous);
  EXPECT_THAT(report.sentence, HasSubstr("0.005"));
}

TEST(Labels, AreAmbiguousWithoutAHint) {
  Study study = testing::bias_study();
  study.labels.reset();
  Parameters p = testing::bias_parameters();
  EXPECT_TRUE(align_labels(no_data(), study, p).ambiguous);
}

TEST(Labels, AreFixedByKnownValuesThatTellStatesApart) {
  Study study = testing::bias_study();
  study.known.dynamics.initial = {0.9, 0.1};
  Parameters p = testing::bias_parameters();
  const auto report = align_labels(no_data(), study, p);
  EXPECT_TRUE(report.fixed);
  EXPECT_FALSE(report.ambiguous);
  EXPECT_EQ(allowed_relabellings(study).size(), 1u);
}

TEST(Labels, EveryRelabellingIsAllowedWhenNothingIsKnown) {
  EXPECT_EQ(allowed_relabellings(testing::open_study(4, 2, 2)).size(), 24u);
}

TEST(Labels, FollowRecordedDiagnosesWhereThereAreAny) {
  Study study = testing::bias_study();
  study.labels.reset();
  const Parameters right = testing::bias_parameters();
  HistoryTreeBuilder builder(3);
  const std::vector<Step> negative = {{0, 0}, {0, 0}};
  const std::vector<Step> positive = {{0, 1}, {0, 1}};
  builder.add(negative, std::vector<std::int32_t>{-1, 0}, 2, 30);
  builder.add(positive, std::vector<std::int32_t>{1, 1}, 2, 20);
  const HistoryTree tree = builder.build();
  Parameters swapped = permute_states(study.structure, right, {1, 0});
  const auto report = align_labels(tree, study, swapped);
  EXPECT_EQ(swapped, right);
  EXPECT_FALSE(report.ambiguous);
  EXPECT_THAT(report.sentence, HasSubstr("diagnosis"));
}

TEST(Labels, AreAmbiguousWhenDiagnosesAgreeWithEveryNaming) {
  Study study = testing::bias_study();
  HistoryTreeBuilder builder(3);
  const std::vector<Step> steps = {{0, 0}};
  builder.add(steps, std::vector<std::int32_t>{0}, 2);
  builder.add(steps, std::vector<std::int32_t>{1}, 2);
  Parameters p = testing::bias_parameters();
  EXPECT_TRUE(align_labels(builder.build(), study, p).ambiguous);
}

}  // namespace
}  // namespace interpole::learn
