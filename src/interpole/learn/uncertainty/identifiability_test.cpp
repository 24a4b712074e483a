#include "interpole/learn/uncertainty/identifiability.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

HistoryTree tree_of(const Study& study, const Parameters& p) {
  return build_history_tree(study.structure.action_count(),
                            testing::random_records(study.structure, p, 300, 8, 1));
}

TEST(PolicyIdentifiability, IsCompleteWhenTemperatureIsKnownAndActionsOutnumberStates) {
  const auto study = testing::bias_study();
  const auto result = policy_identifiability(testing::bias_tree(500, 1), study, testing::bias_parameters());
  EXPECT_EQ(result.free_directions, 0);
  EXPECT_TRUE(result.sentence.empty());
}

TEST(PolicyIdentifiability, FindsThatTemperatureAndMeansCannotBeToldApart) {
  const Study study = testing::open_study(3, 3, 3);  // |A| ≤ |S| and η free
  base::RandomStream random(51);
  auto p = testing::random_parameters(study.structure, random);
  p.policy = {3.0, {0.8, 0.1, 0.1, 0.1, 0.8, 0.1, 0.2, 0.2, 0.6}};  // every action is taken at many beliefs
  const auto result = policy_identifiability(tree_of(study, p), study, p);
  EXPECT_EQ(result.free_directions, 1);
  EXPECT_TRUE(result.temperature_free);
  EXPECT_THAT(result.involved, Contains("inverse_temperature"));
  EXPECT_THAT(result.sentence, HasSubstr("how strictly decisions follow beliefs and where the means of"));
  EXPECT_THAT(result.sentence, HasSubstr("[known]"));
  EXPECT_THAT(result.sentence, Not(HasSubstr("means[")));
}

TEST(PolicyIdentifiability, FindsMeansThatMoveTogetherUnseenWhenActionsAreFewerThanStates) {
  Study study = testing::open_study(3, 2, 3);
  study.known.policy.inverse_temperature = 1.0;
  base::RandomStream random(52);
  auto p = testing::random_parameters(study.structure, random);
  p.policy.inverse_temperature = 1.0;
  const auto result = policy_identifiability(tree_of(study, p), study, p);
  EXPECT_EQ(result.free_directions, 1);
  EXPECT_FALSE(result.temperature_free);
  EXPECT_THAT(result.sentence,
              HasSubstr(fmt::format("where the means of \"{}\" and \"{}\" lie", study.structure.actions[0],
                                    study.structure.actions[1])));
  EXPECT_THAT(result.sentence, Not(HasSubstr("means[")));
}

TEST(PolicyIdentifiability, AFreeDirectionReallyChangesNoDecision) {
  // μ_a + k·w for both actions, w orthogonal to μ_0 − μ_1 and to (1, 1, 1): π stays as it is.
  Study study = testing::open_study(3, 2, 3);
  base::RandomStream random(53);
  const auto p = testing::random_parameters(study.structure, random);
  const double* x = &p.policy.means[0];
  const double* y = &p.policy.means[3];
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  const double w[3] = {d[1] - d[2], d[2] - d[0], d[0] - d[1]};
  Policy moved = p.policy;
  for (int a = 0; a < 2; ++a) {
    for (int s = 0; s < 3; ++s) moved.means[a * 3 + s] += 0.3 * w[s];
  }
  const std::vector<double> belief = {0.2, 0.5, 0.3};
  const auto before = action_probabilities(study.structure, p.policy, belief);
  const auto after = action_probabilities(study.structure, moved, belief);
  EXPECT_NEAR(before[0], after[0], 1e-12);
}

}  // namespace
}  // namespace interpole::learn
