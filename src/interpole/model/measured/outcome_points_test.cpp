#include "interpole/model/measured/outcome_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/measured/outcome_weights.hpp"

namespace interpole::model {
namespace {

Structure points_structure() {
  MeasuredFactor limited{"limited", Family::kNormal};
  limited.lower = -0.5;
  limited.upper = 2.0;
  return Structure::of_factors({"x", "y"}, {"a"},
                               {{"normal", Family::kNormal},
                                {"lognormal", Family::kLogNormal},
                                {"student", Family::kStudent},
                                {"poisson", Family::kPoisson},
                                {"negative-binomial", Family::kNegativeBinomial},
                                {"categorical", Family::kCategorical, {"no", "maybe", "yes"}},
                                {"ordinal", Family::kOrdinal, {"low", "middle", "high"}},
                                limited});
}

Dynamics points_dynamics() {
  return {{0.5, 0.5}, {0.9, 0.1, 0.2, 0.8}, {3.0, 2.0, 1.4,  0.4, -1.0, 0.7, 9.0, 4.5, 6.0,  2.0, 0.2, 0.5,
                                             0.3, 0.4, -0.6, 1.1, 0.3,  1.0, 5.0, 1.5, 2.9,  0.5, 1.0, 0.7,
                                             5.0, 7.0, 9.0,  3.0, 0.6,  0.3, 0.1, 1.4, -0.6, 1.1, 1.1, 1.0}};
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (const double p : {1e-15, 1e-6, 0.02, 0.075, 0.3, 0.5, 0.81, 0.97, 1.0 - 1e-9}) {
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p, 1e-13 * p + 1e-16) << p;
  }
}

// Averages over the points are integrals: beside those over 400,000 values drawn at random, of what is
// bounded.
TEST(OutcomePoints, StandForTheDistributionOfEveryFamily) {
  const Structure structure = points_structure();
  const Dynamics dynamics = points_dynamics();
  const auto all = yielded_factors(structure, 0);
  const std::size_t F = structure.factors.size();
  ASSERT_EQ(all.size(), F);
  for (int state = 0; state < 2; ++state) {
    const auto points = outcome_points(structure, dynamics, 0, state, all, 4096);
    base::RandomStream random(3, static_cast<std::uint64_t>(state));
    constexpr int kDraws = 400000;
    std::vector<std::vector<double>> drawn(F);
    for (int i = 0; i < kDraws; ++i) {
      const auto outcome = draw_outcome(structure, dynamics, 0, state, random);
      for (std::size_t f = 0; f < F; ++f) drawn[f].push_back(outcome[f]);
    }
    for (std::size_t f = 0; f < F; ++f) {
      for (const double at : {-2.0, -1.0, -0.2, 0.0, 0.9, 1.0, 1.5, 2.0, 3.0, 6.0, 11.0}) {
        double share = 0.0;
        for (int i = 0; i < 4096; ++i) share += points[i * F + f] <= at ? 1.0 / 4096 : 0.0;
        double expected = 0.0;
        for (const double x : drawn[f]) expected += x <= at ? 1.0 / kDraws : 0.0;
        // Five Monte Carlo errors, and a few points.
        EXPECT_NEAR(share, expected, 5.0 * std::sqrt(0.25 / kDraws) + 4.0 / 4096)
            << structure.factors[f].name << " at most " << at << ", state " << state;
      }
    }
  }
}

TEST(OutcomePoints, OfFactorsThatAreNotListedHaveNoValue) {
  const std::vector<int> some = {1, 3};
  const auto points = outcome_points(points_structure(), points_dynamics(), 0, 1, some, 5);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(std::isnan(points[i]), i % 8 != 1 && i % 8 != 3) << i;
  }
}

TEST(OutcomePoints, StayFiniteFarOut) {
  Structure structure = Structure::of_factors(
      {"x"}, {"a"},
      {{"counts", Family::kPoisson}, {"many", Family::kNegativeBinomial}, {"heavy", Family::kStudent}});
  const Dynamics dynamics{{1.0}, {1.0}, {1e6, 3e4, 0.2, 0.0, 1.0, 0.05}};
  const std::vector<int> all = {0, 1, 2};
  for (const double x : outcome_points(structure, dynamics, 0, 0, all)) EXPECT_TRUE(std::isfinite(x));
}

TEST(OutcomeChances, AreTheWeightsOfTheirPoints) {
  const Structure structure = points_structure();
  const Dynamics dynamics = points_dynamics();
  const auto all = yielded_factors(structure, 0);
  const OutcomeChances chances = outcome_chances(structure, dynamics, 0, all, 16);
  double shares = 0.0;
  int row = 0;
  std::vector<double> weights(2);
  chances.each(std::vector{0.3, 0.7}, [&](double share, std::span<const double> seen, int state) {
    const auto points = outcome_points(structure, dynamics, 0, state, all, 16);
    outcome_weights(structure, dynamics, 0,
                    std::span(points).subspan(static_cast<std::size_t>(row % 16) * 8, 8), weights);
    EXPECT_EQ(weights[0], seen[0]);
    EXPECT_EQ(weights[1], seen[1]);
    shares += share;
    ++row;
  });
  EXPECT_EQ(row, 32);
  EXPECT_NEAR(shares, 1.0, 1e-12);
}

}  // namespace
}  // namespace interpole::model
