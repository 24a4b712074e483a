#include "interpole/learn/uncertainty/row_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learn/uncertainty/scale_search.hpp"

namespace interpole::learn {
namespace {

enum Row { kHealthy, kDiseased };  // what the test shows

ScaleChoice weighed(double missed_by_world, std::uint64_t seed) {
  const Study study = testing::bias_study();
  const HistoryTree tree = testing::biased_tree(500, missed_by_world, seed);
  const inference::Likelihood likelihood(tree, study.structure);
  return choose_scales(likelihood, study, {testing::bias_parameters(), {}}, {});
}

TEST(RowSearch, NamesTheRowThatIsWrong) {
  const ScaleChoice choice = weighed(0.4, 2);
  const auto probabilities = choice.row_probabilities();
  ASSERT_EQ(probabilities.size(), 2u);
  EXPECT_GT(probabilities[kDiseased], 0.99);
  EXPECT_LT(probabilities[kHealthy], 0.5);
  ASSERT_EQ(choice.scales.rows.size(), 2u);
  EXPECT_EQ(choice.scales.rows[kHealthy], 0.0);
  EXPECT_GT(choice.scales.rows[kDiseased], 0.0);
}

TEST(RowSearch, NamesNoneWhereAgentAndWorldAreOne) {
  const ScaleChoice choice = weighed(0.2, 1);
  for (const double probability : choice.row_probabilities()) EXPECT_LT(probability, 0.5);
  EXPECT_TRUE(choice.scales.rows.empty());
}

TEST(RowSearch, DrawsFollowTheChancesOfHypotheses) {
  const ScaleChoice choice = weighed(0.4, 2);
  base::RandomStream random(1);
  const auto draws = draw_scales(choice, testing::bias_study(), 200, random);
  ASSERT_EQ(draws.size(), 200u);
  double dense = 0.0;
  for (const CouplingScales& scales : draws) dense += scales.rows.empty() ? 1.0 / 200.0 : 0.0;
  EXPECT_NEAR(dense, choice.chance_of_dense(), 0.005);
}

TEST(RowSearch, PriorOfSetsSumsToOne) {
  for (const int rows : {2, 5, 20}) {
    double sum = 0.0;
    double sets = 1.0;
    for (int wrong = 1; wrong <= rows; ++wrong) {
      sets *= static_cast<double>(rows - wrong + 1) / wrong;
      sum += sets * std::exp(log_prior_of_rows(wrong, rows));
    }
    EXPECT_NEAR(sum, 1.0, 1e-9);
  }
}

}  // namespace
}  // namespace interpole::learn
