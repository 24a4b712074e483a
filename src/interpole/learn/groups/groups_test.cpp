#include "interpole/learn/groups/groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interpole/learn/groups/sites_testing.hpp"
#include "interpole/optimize/gradient_check.hpp"

namespace interpole::learn {
namespace {

using testing::boundary_of;
using testing::doctor;
using testing::Sites;

GroupFit fitted(const Sites& sites, DynamicsMode dynamics = DynamicsMode::kCoupled) {
  GroupOptions options;
  options.fit.restarts = 3;
  options.fit.dynamics = dynamics;
  return fit_groups(sites.all, sites.trees, testing::bias_study(), options, quiet_sink());
}

TEST(GroupedPosterior, GradientMatchesCentralDifferences) {
  const Sites sites(0.7, 0.9, 30, 1);
  const Study study = testing::bias_study();
  std::vector<inference::Likelihood> likelihoods;
  for (const auto& tree : sites.trees) likelihoods.emplace_back(tree, study.structure);
  const std::vector<const inference::Likelihood*> groups = {&likelihoods[0], &likelihoods[1]};
  for (const double spread : {0.0, 0.3, 2.0}) {
    for (const auto measure : {Measure::kNatural, Measure::kCoordinates}) {
      GroupedPosterior posterior(groups, study, CouplingScales::all(0.4), spread, measure);
      std::vector<double> y(posterior.size());
      posterior.coordinates({doctor(0.8), {}}, y);
      base::RandomStream random(3);
      for (double& x : y) x += 0.1 * random.normal();
      EXPECT_LT(optimize::check_gradient(posterior, y).worst_error, 1e-7) << spread;
    }
  }
}

TEST(GroupedPosterior, WithoutSpreadIsThePosteriorOfAllRecords) {
  const Sites sites(0.7, 0.9, 30, 2);
  const Study study = testing::bias_study();
  std::vector<inference::Likelihood> likelihoods;
  for (const auto& tree : sites.trees) likelihoods.emplace_back(tree, study.structure);
  GroupedPosterior grouped({&likelihoods[0], &likelihoods[1]}, study, CouplingScales::all(0.4), 0.0);
  const inference::Likelihood likelihood(sites.all, study.structure);
  const auto together = make_posterior(
      likelihood, study, {DynamicsMode::kCoupled, Measure::kNatural, {CouplingScales::all(0.4)}});
  std::vector<double> y(grouped.size());
  std::vector<double> z(together->size());
  std::vector<double> g(grouped.size());
  std::vector<double> h(together->size());
  grouped.coordinates({doctor(0.8), {}}, y);
  together->coordinates({doctor(0.8), {}}, z);
  const double deviations = -0.5 * static_cast<double>(y.size() - z.size()) * std::log(2.0 * M_PI);
  EXPECT_NEAR(grouped.evaluate(y, g), together->evaluate(z, h) + deviations, 1e-8);
  for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(g[i], h[i], 1e-7);
}

TEST(Groups, FindTheBoundariesOfTwoSitesThatDiffer) {
  const auto result = fitted(Sites(0.7, 0.9, 300, 3));
  EXPECT_GT(result.log_bayes_factor(), std::log(20.0));
  for (const auto& [g, truth] : {std::pair(0, 0.7), std::pair(1, 0.9)}) {
    EXPECT_NEAR(boundary_of(result.policies[g]), truth, 0.05);
    std::vector<double> draws;
    for (const auto& draw : result.draws) draws.push_back(boundary_of(draw[g]));
    std::sort(draws.begin(), draws.end());
    EXPECT_LT(draws[draws.size() / 100], truth);  // within the central 98%
    EXPECT_GT(draws[draws.size() - draws.size() / 100 - 1], truth);
  }
}

TEST(Groups, PoolSitesThatAreAlike) {
  const auto result = fitted(Sites(0.8, 0.8, 300, 4));
  EXPECT_LT(result.log_bayes_factor(), 0.0);
  EXPECT_LT(std::abs(boundary_of(result.policies[0]) - boundary_of(result.policies[1])), 0.02);
}

TEST(Groups, WorkWithEveryKindOfDynamics) {
  const Sites sites(0.7, 0.9, 200, 5);
  for (const auto dynamics : {DynamicsMode::kShared, DynamicsMode::kSubjective}) {
    const auto result = fitted(sites, dynamics);
    EXPECT_LT(boundary_of(result.policies[0]), boundary_of(result.policies[1]));
    EXPECT_TRUE(std::isfinite(result.log_bayes_factor()));
  }
}

}  // namespace
}  // namespace interpole::learn
