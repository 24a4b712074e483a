#include "interpole/sampling/random_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/sampling/diagnostics.hpp"

namespace interpole::sampling {
namespace {

DrawsDiagnostics diagnose(const MetropolisChain& chain, const std::function<double(std::size_t)>& of_draw) {
  std::vector<double> values;
  for (std::size_t i = 0; i < chain.draws.size(); ++i) values.push_back(of_draw(i));
  const std::span<const double> one[] = {values};
  return diagnose_draws(one);
}

// A coordinate a thousand times wider than another, and correlated with it.
double narrow_ridge(std::span<const double> x) {
  const double u = x[0] / 1000.0;
  const double v = (x[1] - 0.8 * u) / 0.6;
  return -0.5 * (u * u + v * v);
}

TEST(RandomWalk, LearnsTheShapeOfANarrowRidge) {
  base::RandomStream random(3);
  const MetropolisChain chain =
      run_metropolis(narrow_ridge, {50.0, 5.0}, {.warm_up = 6000, .draws = 20'000, .step = 0.1}, random);
  EXPECT_NEAR(chain.acceptance, 0.234, 0.1);
  const auto first = diagnose(chain, [&](std::size_t i) { return chain.draws[i][0]; });
  const auto second = diagnose(chain, [&](std::size_t i) { return chain.draws[i][1]; });
  EXPECT_GT(*first.ess_bulk, 500.0);
  EXPECT_NEAR(*first.mean, 0.0, 4.0 * *first.mcse_mean);
  EXPECT_NEAR(*second.mean, 0.0, 4.0 * *second.mcse_mean);
  EXPECT_NEAR(*first.sd, 1000.0, 4.0 * *first.mcse_sd);
  EXPECT_NEAR(*second.sd, 1.0, 4.0 * *second.mcse_sd);
  const auto product =
      diagnose(chain, [&](std::size_t i) { return chain.draws[i][0] * chain.draws[i][1] / 1000.0; });
  EXPECT_NEAR(*product.mean, 0.8, 4.0 * *product.mcse_mean);
}

// Half a line, with a kink: where a proposal leaves the support it must stay, and count again.
TEST(RandomWalk, DrawsFromATruncatedDensity) {
  const auto exponential = [](std::span<const double> x) { return x[0] < 0.0 ? -INFINITY : -x[0]; };
  base::RandomStream random(4);
  const MetropolisChain chain =
      run_metropolis(exponential, {1.0}, {.warm_up = 1000, .draws = 20'000, .step = 0.5}, random);
  const auto mean = diagnose(chain, [&](std::size_t i) { return chain.draws[i][0]; });
  const auto small = diagnose(chain, [&](std::size_t i) { return chain.draws[i][0] < 0.1 ? 1.0 : 0.0; });
  EXPECT_NEAR(*mean.mean, 1.0, 4.0 * *mean.mcse_mean);
  EXPECT_NEAR(*small.mean, 1.0 - std::exp(-0.1), 4.0 * *small.mcse_mean);
}

TEST(RandomWalk, KeepsItsStepIfToldTo) {
  const auto flat = [](std::span<const double>) { return 0.0; };
  base::RandomStream random(5);
  const MetropolisChain chain =
      run_metropolis(flat, {0.0}, {.warm_up = 0, .draws = 20'000, .step = 0.001, .learning = false}, random);
  EXPECT_EQ(chain.acceptance, 1.0);
  double squares = 0.0;
  for (std::size_t i = 1; i < chain.draws.size(); ++i) {
    squares += std::pow(chain.draws[i][0] - chain.draws[i - 1][0], 2);
  }
  // The standard error of a variance from n draws is √(2/n) of it.
  EXPECT_NEAR(squares / 20'000 / 1e-6, 1.0, 4.0 * std::sqrt(2.0 / 20'000));
}

TEST(RandomWalk, IsFixedByItsStreamAndStopsWhenAsked) {
  base::RandomStream once(6, 1, base::RandomPurpose(2));
  base::RandomStream again(6, 1, base::RandomPurpose(2));
  const MetropolisOptions options{.warm_up = 200, .draws = 100};
  EXPECT_EQ(run_metropolis(narrow_ridge, {0.0, 0.0}, options, once).draws,
            run_metropolis(narrow_ridge, {0.0, 0.0}, options, again).draws);
  int calls = 0;
  const MetropolisChain stopped =
      run_metropolis(narrow_ridge, {0.0, 0.0}, options, once, [&] { return ++calls > 210; });
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.draws.size(), 10U);
}

// Begun with the right shape, a walk needs no time to find it.
TEST(RandomWalk, BeginsWithTheShapeItIsGiven) {
  base::RandomStream random(7);
  const MetropolisChain chain = run_metropolis(narrow_ridge, {0.0, 0.0}, RandomWalk({1e6, 800.0, 800.0, 1.0}),
                                               {.warm_up = 0, .draws = 10'000, .learning = false}, random);
  const auto first = diagnose(chain, [&](std::size_t i) { return chain.draws[i][0]; });
  EXPECT_GT(*first.ess_bulk, 500.0);
  EXPECT_NEAR(*first.sd, 1000.0, 4.0 * *first.mcse_sd);
}

}  // namespace
}  // namespace interpole::sampling
