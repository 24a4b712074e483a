#include "interpole/base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace interpole::base {
namespace {

constexpr int kDraws = 200'000;

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments_of(const std::function<double()>& draw) {
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

// Five standard errors: of the mean, √(σ²/n); of the variance, √((κ−1)σ⁴/n) with κ the kurtosis.
void expect_moments(const Moments& seen, double mean, double variance, double kurtosis) {
  EXPECT_NEAR(seen.mean, mean, 5.0 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(seen.variance, variance, 5.0 * variance * std::sqrt((kurtosis - 1.0) / kDraws));
}

TEST(RandomStream, SameNameSameNumbers) {
  RandomStream one(7, 17, RandomPurpose(2));
  RandomStream other(7, 17, RandomPurpose(2));
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(one.next_bits(), other.next_bits());
}

TEST(RandomStream, MatchesPhiloxKnownAnswer) {
  // Random123's known-answer vector of philox4x64-10: counter and key all zero.
  RandomStream stream(0);
  EXPECT_EQ(stream.next_bits(), 0x16554d9eca36314cULL);
  EXPECT_EQ(stream.next_bits(), 0xdb20fe9d672d0fdcULL);
  EXPECT_EQ(stream.next_bits(), 0xd7e772cee186176bULL);
  EXPECT_EQ(stream.next_bits(), 0x7e68b68aec7ba23bULL);
}

TEST(RandomStream, OtherNameOtherNumbers) {
  const auto differs = [](RandomStream a, RandomStream b) {
    int equal = 0;
    for (int i = 0; i < 1000; ++i) equal += a.next_bits() == b.next_bits();
    return equal == 0;
  };
  EXPECT_TRUE(differs(RandomStream(1, 2, RandomPurpose(3)), RandomStream(2, 2, RandomPurpose(3))));
  EXPECT_TRUE(differs(RandomStream(1, 2, RandomPurpose(3)), RandomStream(1, 3, RandomPurpose(3))));
  EXPECT_TRUE(differs(RandomStream(1, 2, RandomPurpose(3)), RandomStream(1, 2, RandomPurpose(4))));
  EXPECT_TRUE(differs(RandomStream(1, 2, RandomPurpose(3)), RandomStream(1, 3, RandomPurpose(2))));
}

TEST(RandomStream, NeighbouringStreamsAreUncorrelated) {
  RandomStream a(5, 0);
  RandomStream b(5, 1);
  double products = 0.0;
  for (int i = 0; i < kDraws; ++i) products += a.normal() * b.normal();
  EXPECT_NEAR(products / kDraws, 0.0, 5.0 / std::sqrt(kDraws));  // the product of two normals has variance 1
}

TEST(RandomStream, UniformMoments) {
  RandomStream stream(11);
  expect_moments(moments_of([&] { return stream.uniform(); }), 0.5, 1.0 / 12.0, 1.8);
}

TEST(RandomStream, UniformStaysInsideTheOpenInterval) {
  RandomStream stream(12);
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.uniform();
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
  }
}

TEST(RandomStream, NormalMoments) {
  RandomStream stream(13);
  expect_moments(moments_of([&] { return stream.normal(); }), 0.0, 1.0, 3.0);
}

TEST(RandomStream, GammaMoments) {
  for (const double shape : {0.3, 1.0, 2.5, 40.0}) {
    SCOPED_TRACE(shape);
    RandomStream stream(14);
    expect_moments(moments_of([&] { return stream.gamma(shape); }), shape, shape, 3.0 + 6.0 / shape);
  }
}

TEST(RandomStream, DirichletPointsLieOnTheSimplexAndSpreadAsTheyShould) {
  for (const double concentration : {0.5, 1.0, 4.0}) {
    SCOPED_TRACE(concentration);
    constexpr int kSize = 3;
    RandomStream stream(15);
    const auto first = [&] {
      const std::vector<double> point = stream.dirichlet(kSize, concentration);
      EXPECT_EQ(point.size(), std::size_t{kSize});
      double sum = 0.0;
      for (const double p : point) {
        EXPECT_GE(p, 0.0);
        sum += p;
      }
      EXPECT_NEAR(sum, 1.0, 1e-15 * 4);
      return point[0];
    };
    // A coordinate is Beta(c, 2c): kurtosis below 3 + 6/c is a safe bound for these c.
    const double total = kSize * concentration;
    expect_moments(moments_of(first), 1.0 / kSize, (1.0 / kSize) * (1.0 - 1.0 / kSize) / (total + 1.0), 3.0);
  }
}

TEST(RandomStream, CategoricalFollowsItsWeightsAndNeverTakesAnImpossibleOne) {
  RandomStream stream(16);
  const std::vector<double> weights = {0.0, 2.0, 0.0, 6.0, 0.0};
  int threes = 0;
  for (int i = 0; i < kDraws; ++i) {
    const int drawn = stream.categorical(weights);
    ASSERT_TRUE(drawn == 1 || drawn == 3) << drawn;
    threes += drawn == 3;
  }
  EXPECT_NEAR(threes / static_cast<double>(kDraws), 0.75, 5.0 * std::sqrt(0.75 * 0.25 / kDraws));
}

TEST(RandomStream, CategoricalSurvivesTinyWeightsAndTrailingZeros) {
  RandomStream stream(17);
  const std::vector<double> tiny = {0.0, 5e-324, 0.0};
  const std::vector<double> rounding = {0.1, 0.2, 0.7 - 1e-17, 0.0};
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(stream.categorical(tiny), 1);
    ASSERT_NE(stream.categorical(rounding), 3);
  }
}

TEST(RandomStream, DirichletWithTinyConcentrationsStaysOnTheSimplex) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    double total = 0.0;
    for (const double x : RandomStream(1, i).dirichlet(3, 1e-4)) {
      EXPECT_GE(x, 0.0);
      total += x;
    }
    EXPECT_NEAR(total, 1.0, 1e-12);
  }
}

// Frequencies against the probability function: below and above the change of method, and a large mean.
TEST(RandomStream, PoissonCountsFollowTheirDistribution) {
  constexpr int kCounts = 40000;
  for (const double mean : {0.3, 1.0, 9.5, 10.5, 40.0}) {
    RandomStream random(11, static_cast<std::uint64_t>(mean * 10));
    std::vector<int> seen(200, 0);
    for (int i = 0; i < kCounts; ++i) ++seen[random.poisson(mean)];
    for (int k = 0; k < 200; ++k) {
      const double p = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
      // Five standard deviations, for 1,000 comparisons; one more for counts that are hardly ever seen.
      EXPECT_NEAR(seen[k], kCounts * p, 5.0 * std::sqrt(kCounts * p) + 1.0) << mean << " " << k;
    }
  }
  RandomStream random(12);
  double sum = 0.0;
  for (int i = 0; i < 1000; ++i) sum += static_cast<double>(random.poisson(1e6));
  EXPECT_NEAR(sum / 1000.0, 1e6, 4.0 * std::sqrt(1e6 / 1000.0));
  EXPECT_EQ(random.poisson(0.0), 0);
}

// Frequencies against the probability function: few trials, and many that are halved first.
TEST(RandomStream, BinomialCountsFollowTheirDistribution) {
  constexpr int kCounts = 40000;
  for (const int trials : {1, 7, 16, 17, 40, 300}) {
    for (const double p : {0.02, 0.5, 0.93}) {
      RandomStream random(13, trials, RandomPurpose(static_cast<std::uint64_t>(p * 100)));
      std::vector<int> seen(trials + 1, 0);
      for (int i = 0; i < kCounts; ++i) ++seen[random.binomial(trials, p)];
      for (int k = 0; k <= trials; ++k) {
        const double chance =
            std::exp(std::lgamma(trials + 1.0) - std::lgamma(k + 1.0) - std::lgamma(trials - k + 1.0) +
                     k * std::log(p) + (trials - k) * std::log1p(-p));
        // Five standard deviations, for 1,000 comparisons; one more for counts that are hardly ever seen.
        EXPECT_NEAR(seen[k], kCounts * chance, 5.0 * std::sqrt(kCounts * chance) + 1.0)
            << trials << " " << p << " " << k;
      }
    }
  }
  RandomStream random(14);
  EXPECT_EQ(random.binomial(0, 0.5), 0);
  EXPECT_EQ(random.binomial(100, 0.0), 0);
  EXPECT_EQ(random.binomial(100, 1.0), 100);
  EXPECT_NEAR(static_cast<double>(random.binomial(1'000'000'000'000, 0.25)), 2.5e11,
              5.0 * std::sqrt(1.875e11));
}

}  // namespace
}  // namespace interpole::base
