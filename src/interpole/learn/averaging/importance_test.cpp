#include "interpole/learn/averaging/importance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

// What each of two results says of the state, from five records: a posterior of two coordinates, so skewed
// that its normal approximation is visibly wrong.
struct TwoUnknowns {
  Study study = testing::open_study(2, 1, 2);
  HistoryTree tree;
  inference::Likelihood likelihood;

  TwoUnknowns() : tree(records()), likelihood(prepared()) {}

  HistoryTree records() {
    study.known.dynamics = Dynamics::filled(study.structure, 0.5);
    study.known.dynamics.transition = {0.9, 0.1, 0.2, 0.8};
    study.known.dynamics.observation = {NAN, NAN, NAN, NAN};
    study.known.policy = Policy::filled(study.structure, 0.5);
    const Parameters truth = {{{0.5, 0.5}, study.known.dynamics.transition, {0.9, 0.1, 0.3, 0.7}},
                              study.known.policy};
    return build_history_tree(1, testing::random_records(study.structure, truth, 5, 4, 9));
  }
  inference::Likelihood prepared() { return {tree, study.structure}; }
};

TEST(ImportanceDraws, HaveTheEvidenceAndTheMeansOfTheIntegral) {
  TwoUnknowns problem;
  const auto posterior =
      make_posterior(problem.likelihood, problem.study, {DynamicsMode::kShared, Measure::kCoordinates, {}});
  ASSERT_EQ(posterior->size(), 2);
  std::vector<double> gradient(2);
  const Laplace around = laplace(*posterior, std::vector{0.3, -0.3}, {});
  double total = 0.0;
  double mean = 0.0;
  constexpr double kStep = 0.05;
  for (double x = -12.0; x <= 12.0; x += kStep) {
    for (double y = -12.0; y <= 12.0; y += kStep) {
      const std::vector<double> at = {x, y};
      const double mass = std::exp(posterior->evaluate(at, gradient) - around.log_density) * kStep * kStep;
      total += mass;
      mean += mass * posterior->agent_world(at).agent.dynamics.observation[0];
    }
  }
  mean /= total;
  const double log_evidence = around.log_density + std::log(total);
  base::RandomStream random(4);
  const WeightedDraws draws = importance_draws(*posterior, around, 40'000, random);
  ASSERT_GT(draws.effective, 4'000.0);
  // Standard errors are below 0.01 and 0.005 with so many effective draws.
  EXPECT_NEAR(draws.log_evidence, log_evidence, 0.03);
  double drawn = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < draws.weights.size(); ++i) {
    weight += draws.weights[i];
    drawn += draws.weights[i] * draws.agent_worlds[i].agent.dynamics.observation[0];
  }
  EXPECT_NEAR(weight, 1.0, 1e-9);
  EXPECT_NEAR(drawn, mean, 0.015);
  // The correction is what is tested: without it both would be missed.
  EXPECT_GT(std::abs(around.log_evidence - log_evidence), 0.1);
}

TEST(ImportanceDraws, AreNoneAroundWhatIsNoMaximum) {
  TwoUnknowns problem;
  const auto posterior =
      make_posterior(problem.likelihood, problem.study, {DynamicsMode::kShared, Measure::kCoordinates, {}});
  Laplace around = laplace(*posterior, std::vector{0.3, -0.3}, {});
  around.proper = false;
  base::RandomStream random(4);
  const WeightedDraws draws = importance_draws(*posterior, around, 100, random);
  EXPECT_TRUE(draws.agent_worlds.empty());
  EXPECT_EQ(draws.effective, 0.0);
}

}  // namespace
}  // namespace interpole::learn
