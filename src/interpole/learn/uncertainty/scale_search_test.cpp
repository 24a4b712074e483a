#include "interpole/learn/uncertainty/scale_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

ScaleChoice choice_for(const HistoryTree& tree) {
  const Study study = testing::bias_study();
  const inference::Likelihood likelihood(tree, study.structure);
  return choose_scales(likelihood, study, {testing::bias_parameters(), {}}, {});
}

TEST(ScaleSearch, FindsAgentAndWorldAlikeWhereTheyAre) {
  const auto choice = choice_for(testing::biased_tree(500, 0.2, 1));
  EXPECT_LT(choice.log_bayes_factor(), 0.0);
  EXPECT_LT(choice.scales.observation, 0.15);
}

TEST(ScaleSearch, FindsThemApartWhereTheyAre) {
  const auto choice = choice_for(testing::biased_tree(500, 0.4, 2));
  EXPECT_GT(choice.log_bayes_factor(), 10.0);
  EXPECT_GT(choice.scales.observation, 0.15);
  EXPECT_NEAR(choice.agent_world.agent.dynamics.observation[2], 0.2, 0.05);
  EXPECT_NEAR(choice.agent_world.world->observation[2], 0.4, 0.05);
}

TEST(ScaleSearch, ChoosesTheHighestEvidenceOfItsProfile) {
  const auto choice = choice_for(testing::biased_tree(300, 0.4, 3));
  for (const double value : choice.common.log_evidence) EXPECT_GE(choice.log_evidence, value);
  ASSERT_EQ(choice.kinds.size(), 1u);
  EXPECT_EQ(choice.kinds[0].field, Field::kObservation);
}

TEST(ScaleSearch, DrawsStandForThePosteriorOfTheScale) {
  auto choice = choice_for(testing::biased_tree(300, 0.4, 3));
  choice.sparse.clear();  // all rows differ
  base::RandomStream random(1);
  const auto draws = draw_scales(choice, testing::bias_study(), 400, random);
  // The mean of log σ by the profile's own weights; draws are spread within a grid step around each point.
  const auto& profile = choice.kinds[0].profile;
  double total = 0.0;
  double mean = 0.0;
  for (std::size_t j = 0; j < profile.sigma.size(); ++j) {
    const double weight = std::exp(profile.log_prior[j] + profile.log_evidence[j] - profile.log_evidence[0]);
    total += weight;
    mean += weight * std::log(profile.sigma[j]);
  }
  double drawn = 0.0;
  for (const auto& scales : draws) drawn += std::log(scales.observation) / 400.0;
  EXPECT_NEAR(drawn, mean / total, 0.02);
}

TEST(ScaleGrid, WeightsSumToOne) {
  const ScaleGrid grid = scale_grid(24);
  double sum = 0.0;
  for (const double weight : grid.log_weight) sum += std::exp(weight);
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_TRUE(std::is_sorted(grid.sigma.begin(), grid.sigma.end()));
}

}  // namespace
}  // namespace interpole::learn
