// Moments of known targets, within their Monte Carlo error; what a wrong gradient does; edges and refusals.

#include "interpole/sampling/nuts/nuts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/sampling/sampler_testing.hpp"

namespace interpole::sampling {
namespace {

using ::testing::HasSubstr;

// Seeds are fixed, so a bound of four standard errors is not exceeded now and then: it was met once and for
// all.
constexpr double kErrors = 4.0;

bool moments_hold(const DrawsDiagnostics& d, double mean, double sd) {
  return *d.r_hat < 1.01 && *d.ess_bulk > 400.0 && std::abs(*d.mean - mean) < kErrors * *d.mcse_mean &&
         std::abs(*d.sd - sd) < kErrors * *d.mcse_sd;
}

void expect_moments(const DrawsDiagnostics& d, double mean, double sd) {
  EXPECT_TRUE(moments_hold(d, mean, sd))
      << "R̂ " << *d.r_hat << ", effective draws " << *d.ess_bulk << ", mean " << *d.mean << " ± "
      << *d.mcse_mean << " for " << mean << ", sd " << *d.sd << " ± " << *d.mcse_sd << " for " << sd;
}

auto coordinate(int i) {
  return [i](const std::vector<double>& x) { return x[i]; };
}

TEST(Nuts, DrawsAStandardNormal) {
  auto target = standard_normal(5);
  const auto chains = sample_chains(target, {}, 4, 1000);
  for (int i = 0; i < 5; ++i) expect_moments(chains.diagnose(coordinate(i)), 0.0, 1.0);
  EXPECT_EQ(chains.count([](const NutsDraw& d) { return d.divergent; }), 0);
  std::vector<double> energies;
  for (const NutsDraw& draw : chains.draws[0]) energies.push_back(draw.energy);
  EXPECT_GT(*e_bfmi(energies), 0.7);
}

// With time enough to settle; after the usual fifty iterations steps are still on the short side.
TEST(Nuts, AcceptsAsOftenAsAsked) {
  auto target = standard_normal(10);
  for (const double asked : {0.7, 0.8, 0.95}) {
    NutsOptions options;
    options.warm_up = 3000;
    options.last_stretch = 2000;
    options.target_accept = asked;
    const auto chains = sample_chains(target, options, 1, 1000);
    double accepted = 0.0;
    for (const NutsDraw& draw : chains.draws[0]) accepted += draw.accept_stat / 1000.0;
    EXPECT_NEAR(accepted, asked, 0.05);
  }
}

// Condition number 10⁴, axes in general position. With a dense metric steps are as long as on a round target.
TEST(Nuts, DenseMetricRecoversAnIllConditionedCovariance) {
  std::vector<double> variances(10);
  for (int i = 0; i < 10; ++i) variances[i] = std::pow(10.0, -2.0 + 4.0 * i / 9.0);
  RotatedNormal target(variances);
  NutsOptions options;
  options.metric = MetricKind::kDense;
  const auto chains = sample_chains(target, options, 4, 1000);
  const auto covariance = target.covariance();
  for (int i = 0; i < 10; ++i) {
    expect_moments(chains.diagnose(coordinate(i)), 0.0, std::sqrt(covariance[std::size_t{11} * i]));
    for (int j = 0; j < i; ++j) {
      const auto product = chains.diagnose([&](const std::vector<double>& x) { return x[i] * x[j]; });
      EXPECT_NEAR(*product.mean, covariance[i * 10 + j], kErrors * *product.mcse_mean) << i << " " << j;
    }
  }
  EXPECT_LT(chains.count([](const NutsDraw& d) { return d.tree_depth > 4; }), 40);
}

// The metric itself: relative to the truth, within what the last window of 500 draws allows.
TEST(Nuts, LearnsTheMetricOfTheTarget) {
  RotatedNormal target({0.01, 1.0, 100.0});
  NutsOptions options;
  options.metric = MetricKind::kDense;
  NutsChain chain(target, std::vector<double>(3, 0.1), options, 2, 0);
  while (chain.warming_up()) chain.next();
  const auto truth = target.covariance();
  for (std::size_t i = 0; i < 9; ++i) {
    const double scale = std::sqrt(truth[i / 3 * 4] * truth[i % 3 * 4]);
    EXPECT_NEAR(chain.state().inverse_metric[i], truth[i], 0.25 * scale);
  }
}

TEST(Nuts, FeedsTheMetricWindowByWindow) {
  auto target = standard_normal(2);
  NutsOptions options;
  options.warm_up = 300;  // 75 | 25, 50, 100 | 50
  NutsChain chain(target, std::vector<double>(2, 0.1), options, 1, 0);
  const auto points_after = [&](int iteration) {
    while (chain.iteration() < iteration) chain.next();
    return chain.state().moments.count;
  };
  const std::vector<double> identity = {1.0, 1.0};
  EXPECT_EQ(points_after(75), 0);
  EXPECT_EQ(points_after(99), 24);
  EXPECT_EQ(chain.state().inverse_metric, identity);
  EXPECT_EQ(points_after(100), 0);
  EXPECT_NE(chain.state().inverse_metric, identity);
  EXPECT_EQ(points_after(149), 49);
  EXPECT_EQ(points_after(249), 99);
  EXPECT_EQ(points_after(250), 0);
  const auto settled = chain.state().inverse_metric;
  EXPECT_EQ(points_after(400), 0);
  EXPECT_EQ(chain.state().inverse_metric, settled);
}

TEST(Nuts, DiagonalMetricTakesWidthsFromTheTarget) {
  FunctionTarget target(3, [](std::span<const double> x, std::span<double> g) {
    const double widths[] = {1e-3, 1.0, 1e3};
    double value = 0.0;
    for (int i = 0; i < 3; ++i) {
      g[i] = -x[i] / (widths[i] * widths[i]);
      value += 0.5 * g[i] * x[i];
    }
    return value;
  });
  const auto chains = sample_chains(target, {}, 4, 1000);
  expect_moments(chains.diagnose(coordinate(0)), 0.0, 1e-3);
  expect_moments(chains.diagnose(coordinate(1)), 0.0, 1.0);
  expect_moments(chains.diagnose(coordinate(2)), 0.0, 1e3);
}

TEST(Nuts, DrawsAGammaThroughItsLogarithm) {
  auto target = log_gamma_variate(2.5);
  const auto chains = sample_chains(target, {}, 4, 2000);
  const auto d = chains.diagnose([](const std::vector<double>& y) { return std::exp(y[0]); });
  expect_moments(d, 2.5, std::sqrt(2.5));
}

TEST(Nuts, DrawsABanana) {
  auto target = banana();
  NutsOptions options;
  options.target_accept = 0.95;
  const auto chains = sample_chains(target, options, 4, 2000);
  expect_moments(chains.diagnose(coordinate(0)), 0.0, 1.0);
  expect_moments(chains.diagnose(coordinate(1)), 1.0, std::sqrt(3.0));
}

TEST(Nuts, ReportsDivergencesInNealsFunnel) {
  auto target = neals_funnel();
  const auto chains = sample_chains(target, {}, 4, 1000);
  EXPECT_GT(chains.count([](const NutsDraw& d) { return d.divergent; }), 0);
  for (const auto& chain : chains.draws) {
    for (const NutsDraw& draw : chain) {
      ASSERT_TRUE(std::isfinite(draw.log_density) && std::isfinite(draw.energy) &&
                  std::isfinite(draw.energy_error) && std::isfinite(draw.accept_stat));
    }
  }
}

// Negative controls: the tests above can fail.
TEST(Nuts, FailsTheTestOfMomentsWithoutTheJacobian) {
  auto no_jacobian = log_gamma_variate(1.5);  // + y left out: one less in the shape
  const auto chains = sample_chains(no_jacobian, {}, 4, 2000);
  const auto d = chains.diagnose([](const std::vector<double>& y) { return std::exp(y[0]); });
  EXPECT_GT(std::abs(*d.mean - 2.5), 5.0 * kErrors * *d.mcse_mean);
}

// Any force that depends on the position alone keeps steps reversible and volumes unchanged, so choosing by
// weight would repair the moments in the end. A wrong one shows in what the walk costs: steps so short that
// the chains hardly move and do not agree.
TEST(Nuts, FailsTheTestOfMomentsIfTheGradientIsWrong) {
  const auto with_gradient = [](double slope, double shift) {
    return FunctionTarget(5, [slope, shift](std::span<const double> x, std::span<double> g) {
      double value = 0.0;
      for (int i = 0; i < 5; ++i) {
        value -= 0.5 * x[i] * x[i];
        g[i] = slope * x[i] + shift;
      }
      return value;
    });
  };
  NutsOptions options;
  options.warm_up = 300;
  const auto passes = [&](double slope, double shift) {
    auto target = with_gradient(slope, shift);
    return moments_hold(sample_chains(target, options, 4, 500).diagnose(coordinate(0)), 0.0, 1.0);
  };
  EXPECT_TRUE(passes(-1.0, 0.0));
  EXPECT_FALSE(passes(1.0, 0.0));   // its sign
  EXPECT_FALSE(passes(-1.0, 3.0));  // a prior's mean forgotten
  EXPECT_FALSE(passes(0.0, 0.0));   // none
}

TEST(Nuts, TakesAGivenInverseMetricFromTheFirstStep) {
  RotatedNormal target({1e-4, 1.0, 1.0, 1e4});
  NutsOptions options;
  options.metric = MetricKind::kDense;
  options.inverse_metric = target.covariance();
  options.warm_up = 0;
  NutsChain chain(target, std::vector<double>(4, 0.0), options, 1, 0);
  EXPECT_GT(chain.state().step_size, 0.2);
  for (int i = 0; i < 50; ++i) EXPECT_LE(chain.next().tree_depth, 5);
}

TEST(Nuts, ChainsAndSeedsDrawDifferentNumbers) {
  auto target = standard_normal(2);
  const std::vector<double> start = {0.1, 0.2};
  const auto first_draw = [&](std::uint64_t seed, std::uint64_t index) {
    NutsChain chain(target, start, {}, seed, index);
    for (int i = 0; i < 9; ++i) chain.next();
    return chain.next().position;
  };
  EXPECT_EQ(first_draw(1, 0), first_draw(1, 0));
  EXPECT_NE(first_draw(1, 0), first_draw(1, 1));
  EXPECT_NE(first_draw(1, 0), first_draw(2, 0));
}

// A half-line: −∞ with a NaN gradient beyond it. Draws stay inside; walking out is a divergence.
TEST(Nuts, TreatsTheEdgeOfTheTargetAsDivergence) {
  for (const double outside :
       {-std::numeric_limits<double>::infinity(), std::nan(""), std::numeric_limits<double>::infinity()}) {
    FunctionTarget target(1, [outside](std::span<const double> x, std::span<double> g) {
      g[0] = x[0] > 0.0 ? -1.0 : std::nan("");
      return x[0] > 0.0 ? -x[0] : outside;
    });
    NutsOptions options;
    options.warm_up = 200;
    NutsChain chain(target, std::vector<double>{1.0}, options, 1, 0);
    int divergences = 0;
    for (int i = 0; i < 700; ++i) {
      const NutsDraw& draw = chain.next();
      ASSERT_GT(draw.position[0], 0.0);
      ASSERT_TRUE(std::isfinite(draw.energy) && std::isfinite(draw.step_size));
      divergences += draw.divergent ? 1 : 0;
    }
    EXPECT_GT(divergences, 10);
  }
}

TEST(Nuts, TreatsAFiniteValueWithoutAGradientAsDivergence) {
  FunctionTarget target(1, [](std::span<const double> x, std::span<double> g) {
    g[0] = x[0] < 1.0 ? -x[0] : std::nan("");
    return -0.5 * x[0] * x[0];
  });
  NutsChain chain(target, std::vector<double>{0.0}, {}, 1, 0);
  for (int i = 0; i < 500; ++i) ASSERT_LT(chain.next().position[0], 1.0);
}

TEST(Nuts, ServesATargetWithNothingToDraw) {
  FunctionTarget target(0, [](std::span<const double>, std::span<double>) { return -3.0; });
  for (const MetricKind kind : {MetricKind::kDiagonal, MetricKind::kDense}) {
    NutsOptions options;
    options.warm_up = 200;
    options.metric = kind;
    NutsChain chain(target, {}, options, 1, 0);
    for (int i = 0; i < 300; ++i) {
      const NutsDraw& draw = chain.next();
      EXPECT_TRUE(draw.position.empty());
      EXPECT_EQ(draw.log_density, -3.0);
      EXPECT_TRUE(std::isfinite(draw.step_size) && !draw.divergent);
    }
  }
}

TEST(Nuts, AnExceptionOfTheTargetLeavesTheChainWhereItWas) {
  bool broken = false;
  FunctionTarget target(1, [&](std::span<const double> x, std::span<double> g) {
    if (broken) throw runtime_error("the disk is full");
    g[0] = -x[0];
    return -0.5 * x[0] * x[0];
  });
  NutsChain chain(target, std::vector<double>{0.5}, {}, 1, 0);
  NutsChain other(target, std::vector<double>{0.5}, {}, 1, 0);
  for (int i = 0; i < 20; ++i) other.next(), chain.next();
  broken = true;
  EXPECT_THROW(chain.next(), Error);
  broken = false;
  EXPECT_EQ(chain.iteration(), 20);
  EXPECT_EQ(chain.next().position, other.next().position);
}

TEST(Nuts, RefusesStartsAndOptionsThatCannotWork) {
  auto target = standard_normal(2);
  const std::vector<double> start = {0.0, 0.0};
  const auto with = [&](auto&& change) {
    NutsOptions options;
    change(options);
    return base::complaint_of([&] { NutsChain(target, start, options, 1, 0); }, ErrorKind::kUsage);
  };
  EXPECT_THAT(with([](NutsOptions& o) { o.warm_up = -1; }), HasSubstr("warm-up: -1"));
  EXPECT_THAT(with([](NutsOptions& o) { o.target_accept = 1.0; }), HasSubstr("target acceptance: 1"));
  EXPECT_THAT(with([](NutsOptions& o) { o.most_depth = 0; }), HasSubstr("tree depth: 0"));
  EXPECT_THAT(with([](NutsOptions& o) { o.most_energy_error = std::nan(""); }),
              HasSubstr("energy error: nan"));
  EXPECT_THAT(with([](NutsOptions& o) { o.first_window = 1; }), HasSubstr("warm-up windows: 75, 1, 50"));
  EXPECT_THAT(with([](NutsOptions& o) { o.step_size = 0.0; }), HasSubstr("step size: 0"));
  EXPECT_THAT(with([](NutsOptions& o) {
                o.inverse_metric = {1.0, 1.0, 1.0};
              }),
              HasSubstr("3 numbers for 2 coordinates; a diagonal metric takes 2"));
  EXPECT_THAT(with([](NutsOptions& o) { o.inverse_metric = {1.0, -1.0}; }), HasSubstr("positive definite"));
  EXPECT_THAT(with([](NutsOptions& o) {
                o.metric = MetricKind::kDense;
                o.inverse_metric = {1.0, 2.0, 2.0, 1.0};
              }),
              HasSubstr("positive definite"));
  EXPECT_THAT(with([](NutsOptions& o) {
                o.metric = MetricKind::kDense;
                o.inverse_metric = {1.0, 0.2, 0.1, 1.0};
              }),
              HasSubstr("symmetric"));
  EXPECT_THAT(
      base::complaint_of([&] { NutsChain(target, std::vector<double>{1.0}, {}, 1, 0); }, ErrorKind::kUsage),
      HasSubstr("1 coordinates, but the target has 2"));
}

TEST(Nuts, SaysWhyATargetCannotBeDrawn) {
  FunctionTarget flat(1, [](std::span<const double>, std::span<double> g) { return g[0] = 0.0; });
  EXPECT_THAT(base::complaint_of([&] { NutsChain(flat, std::vector<double>{0.0}, {}, 1, 0); }),
              HasSubstr("flat"));
  FunctionTarget nowhere(1, [](std::span<const double>, std::span<double> g) {
    g[0] = 0.0;
    return -std::numeric_limits<double>::infinity();
  });
  EXPECT_THAT(base::complaint_of([&] { NutsChain(nowhere, std::vector<double>{0.0}, {}, 1, 3); }),
              HasSubstr("starting point of chain 3: the log density (-inf)"));
  FunctionTarget one_point(1, [](std::span<const double> x, std::span<double> g) {
    g[0] = 0.0;
    return x[0] == 0.0 ? 0.0 : -std::numeric_limits<double>::infinity();
  });
  EXPECT_THAT(base::complaint_of([&] { NutsChain(one_point, std::vector<double>{0.0}, {}, 1, 0); }),
              HasSubstr("no step"));
}

}  // namespace
}  // namespace interpole::sampling
