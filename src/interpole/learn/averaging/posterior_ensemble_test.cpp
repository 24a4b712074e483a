#include "interpole/learn/averaging/posterior_ensemble.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/stops_after_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/draws/sample.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

FitSummary coupled_fit(const HistoryTree& tree, const Study& study) {
  FitOptions options;
  options.uncertainty = false;
  options.restarts = 3;
  return fit(tree, study, options, quiet_sink());
}

double mean_missed(const std::vector<Parameters>& members) {
  double sum = 0.0;
  for (const Parameters& member : members) sum += member.dynamics.observation[2];
  return sum / static_cast<double>(members.size());
}

TEST(PosteriorEnsemble, AreOneWithTheWorldWhereTheEvidenceSaysSo) {
  const Study study = testing::bias_study();
  const auto alike = testing::biased_tree(300, 0.2, 1);
  EXPECT_GT(ensemble_around(alike, study, coupled_fit(alike, study), {}, quiet_sink()).chance_of_one, 0.6);
  const auto apart = testing::biased_tree(300, 0.4, 2);
  EXPECT_LT(ensemble_around(apart, study, coupled_fit(apart, study), {}, quiet_sink()).chance_of_one, 0.01);
}

// The no-U-turn sampler explores the same posterior in another way.
TEST(PosteriorEnsemble, HaveTheMeanAndSpreadOfSampledOnes) {
  const Study study = testing::bias_study();
  const auto tree = testing::biased_tree(150, 0.4, 5);
  const PosteriorEnsemble ensemble =
      ensemble_around(tree, study, coupled_fit(tree, study), {.members = 2'000}, quiet_sink());
  ASSERT_EQ(ensemble.members.size(), 2'000u);
  ASSERT_LT(ensemble.chance_of_one, 0.01);  // so that both speak of agents apart from the world
  SampleOptions options;
  options.restarts = 3;
  options.seed = 8;
  const SampleSummary sampled = sample(tree, study, options, quiet_sink());
  std::vector<Parameters> draws;
  for (const SampledChain& chain : sampled.chains) {
    for (const SampledDraw& draw : chain.draws) draws.push_back(draw.agent_world.agent);
  }
  const auto spread = [](const std::vector<Parameters>& all) {
    double squares = 0.0;
    for (const Parameters& member : all)
      squares += std::pow(member.dynamics.observation[2] - mean_missed(all), 2);
    return std::sqrt(squares / static_cast<double>(all.size()));
  };
  const double sd = spread(draws);
  EXPECT_NEAR(mean_missed(ensemble.members), mean_missed(draws), 0.15 * sd);
  EXPECT_NEAR(spread(ensemble.members), sd, 0.15 * sd);
}

TEST(PosteriorEnsemble, AreTheSameAtAnyNumberOfThreads) {
  const Study study = testing::bias_study();
  const auto tree = testing::biased_tree(60, 0.3, 3);
  const FitSummary best = coupled_fit(tree, study);
  const PosteriorEnsemble once = ensemble_around(tree, study, best, {.threads = 1}, quiet_sink());
  EXPECT_TRUE(once.averaged());
  EXPECT_EQ(ensemble_around(tree, study, best, {.threads = 3}, quiet_sink()).members, once.members);
}

TEST(PosteriorEnsemble, AreTheBestFitAloneWhereFewDrawsCarryWeight) {
  const Study study = testing::bias_study();
  const auto tree = testing::biased_tree(60, 0.3, 3);
  const FitSummary best = coupled_fit(tree, study);
  const PosteriorEnsemble few = ensemble_around(tree, study, best, {.draws = 5}, quiet_sink());
  EXPECT_FALSE(few.averaged());
  EXPECT_EQ(few.members, std::vector{best.parameters});
  EXPECT_LT(few.effective, 100.0);
}

TEST(PosteriorEnsemble, StopWhenAsked) {
  base::StopsAfter stopping(0);
  const Study study = testing::bias_study();
  const auto tree = testing::biased_tree(60, 0.3, 3);
  EXPECT_THROW(ensemble_around(tree, study, coupled_fit(tree, study), {}, stopping), Error);
}

}  // namespace
}  // namespace interpole::learn
