// Known cases, and an oracle that follows the paper's formulas with every lag written out.

#include "interpole/sampling/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "interpole/base/random.hpp"

namespace interpole::sampling {
namespace {

using Chains = std::vector<std::vector<double>>;
using Status = DrawsDiagnostics::Status;

DrawsDiagnostics diagnose(const Chains& chains) {
  return diagnose_draws(std::vector<std::span<const double>>(chains.begin(), chains.end()));
}

// x' = ρ·x + √(1 − ρ²)·noise: variance 1, autocorrelation ρᵏ.
Chains autoregressive(int chains, int draws, double rho, std::uint64_t seed = 1) {
  Chains result;
  for (int c = 0; c < chains; ++c) {
    base::RandomStream random(seed, c);
    double x = random.normal();
    auto& chain = result.emplace_back();
    for (int i = 0; i < draws; ++i) {
      chain.push_back(x);
      x = rho * x + std::sqrt(1.0 - rho * rho) * random.normal();
    }
  }
  return result;
}

// --- The oracle: O(n²) everywhere, nothing shared with the code it judges.
// -----------------------------------

Chains oracle_split(const Chains& chains) {
  Chains halves;
  for (const auto& c : chains) {
    const auto half = static_cast<std::ptrdiff_t>(c.size() / 2);
    halves.emplace_back(c.begin(), c.begin() + half);
    halves.emplace_back(c.end() - half, c.end());
  }
  return halves;
}

double oracle_quantile(double p) {  // by bisection
  double low = -40.0, high = 40.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Chains oracle_scores(const Chains& chains) {
  Chains scores = chains;
  double n = 0.0;
  for (const auto& c : chains) n += static_cast<double>(c.size());
  for (auto& chain : scores) {
    for (double& x : chain) {
      double below = 0.0, equal = 0.0;
      for (const auto& c : chains) {
        for (const double y : c) {
          below += y < x ? 1.0 : 0.0;
          equal += y == x ? 1.0 : 0.0;
        }
      }
      x = oracle_quantile((below + 0.5 * (equal + 1.0) - 0.375) / (n + 0.25));
    }
  }
  return scores;
}

double average(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

double variance(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += (v - average(x)) * (v - average(x));
  return sum / (static_cast<double>(x.size()) - 1.0);
}

struct OracleSpread {
  double within = 0.0, plus = 0.0;
};

OracleSpread oracle_spread(const Chains& chains) {
  std::vector<double> means, variances;
  for (const auto& c : chains) {
    means.push_back(average(c));
    variances.push_back(variance(c));
  }
  const auto n = static_cast<double>(chains[0].size());
  return {average(variances), average(variances) * (n - 1.0) / n + variance(means)};
}

double oracle_r_hat(const Chains& chains) {
  const auto spread = oracle_spread(chains);
  return std::sqrt(spread.plus / spread.within);
}

double oracle_size(const Chains& chains) {
  const std::size_t n = chains[0].size();
  const auto spread = oracle_spread(chains);
  std::vector<double> rho;
  for (std::size_t lag = 0; lag < n; ++lag) {
    double covariance = 0.0;
    for (const auto& c : chains) {
      const double mean = average(c);
      for (std::size_t i = 0; i + lag < n; ++i) {
        covariance += (c[i] - mean) * (c[i + lag] - mean) / static_cast<double>(n * chains.size());
      }
    }
    rho.push_back(1.0 - (spread.within - covariance) / spread.plus);
  }
  rho[0] = 1.0;
  std::vector<double> pairs;
  std::size_t lag = 0;
  for (; lag + 5 < n && rho[lag] + rho[lag + 1] > 0.0; lag += 2) pairs.push_back(rho[lag] + rho[lag + 1]);
  for (std::size_t i = 1; i < pairs.size(); ++i) pairs[i] = std::min(pairs[i], pairs[i - 1]);
  double time = -1.0 + std::max(0.0, rho[lag]);
  for (const double p : pairs) time += 2.0 * p;
  const auto all = static_cast<double>(n * chains.size());
  return all / std::max(time, 1.0 / std::log10(all));
}

template <typename Function>
Chains mapped(Chains chains, Function&& function) {
  for (auto& c : chains)
    for (double& x : c) x = function(x);
  return chains;
}

double pooled_quantile(const Chains& chains, double p) {
  std::vector<double> all;
  for (const auto& c : chains) all.insert(all.end(), c.begin(), c.end());
  std::sort(all.begin(), all.end());
  const double place = p * static_cast<double>(all.size() - 1);
  const auto i = static_cast<std::size_t>(place);
  return all[i] + (place - std::floor(place)) * (all[std::min(i + 1, all.size() - 1)] - all[i]);
}

void expect_as_the_oracle_says(const Chains& chains) {
  const auto d = diagnose(chains);
  ASSERT_EQ(d.status, Status::kMeasured);
  const double median = pooled_quantile(chains, 0.5);
  const Chains folded = mapped(chains, [&](double x) { return std::abs(x - median); });
  EXPECT_NEAR(*d.r_hat,
              std::max(oracle_r_hat(oracle_scores(oracle_split(chains))),
                       oracle_r_hat(oracle_scores(oracle_split(folded)))),
              1e-10);
  const double bulk = oracle_size(oracle_scores(oracle_split(chains)));
  EXPECT_NEAR(*d.ess_bulk, bulk, 1e-8 * bulk);
  const auto below = [&](double p) {
    const double q = pooled_quantile(chains, p);
    return oracle_size(oracle_split(mapped(chains, [&](double x) { return x <= q ? 1.0 : 0.0; })));
  };
  const double tail = std::min(below(0.05), below(0.95));
  EXPECT_NEAR(*d.ess_tail, tail, 1e-8 * tail);
  std::vector<double> all;
  for (const auto& c : chains) all.insert(all.end(), c.begin(), c.end());
  EXPECT_NEAR(*d.mcse_mean, std::sqrt(variance(all) / oracle_size(oracle_split(chains))),
              1e-8 * *d.mcse_mean);
}

TEST(Diagnostics, MatchTheOracle) {
  expect_as_the_oracle_says(autoregressive(4, 250, 0.0));
  expect_as_the_oracle_says(autoregressive(2, 301, 0.8, 2));
  expect_as_the_oracle_says(autoregressive(3, 200, -0.6, 3));
  expect_as_the_oracle_says(autoregressive(1, 12, 0.5, 4));
  expect_as_the_oracle_says(autoregressive(2, 13, 0.99, 5));
  expect_as_the_oracle_says(
      mapped(autoregressive(4, 200, 0.5, 6), [](double x) { return std::round(2.0 * x); }));
  Chains apart = autoregressive(2, 150, 0.3, 7);
  for (double& x : apart[1]) x += 2.0;
  expect_as_the_oracle_says(apart);
}

// --- Known cases
// ---------------------------------------------------------------------------------------------

TEST(Diagnostics, IndependentDrawsCountInFull) {
  const auto d = diagnose(autoregressive(4, 1000, 0.0));
  EXPECT_NEAR(*d.r_hat, 1.0, 0.005);
  // The sum of a few noisy autocorrelations, each of sd 1/√4000, doubled: about 5% per kept pair.
  EXPECT_NEAR(*d.ess_bulk, 4000.0, 600.0);
  EXPECT_NEAR(*d.ess_tail, 4000.0, 600.0);
  EXPECT_NEAR(*d.mcse_mean, 1.0 / std::sqrt(4000.0), 0.1 / std::sqrt(4000.0));
  EXPECT_NEAR(*d.mcse_sd, 1.0 / std::sqrt(8000.0), 0.1 / std::sqrt(8000.0));
}

TEST(Diagnostics, AutoregressiveDrawsCountAsTheirTheorySays) {
  for (const double rho : {-0.5, 0.3, 0.6, 0.9}) {
    const auto d = diagnose(autoregressive(4, 20'000, rho));
    const double expected = 80'000.0 * (1.0 - rho) / (1.0 + rho);
    EXPECT_NEAR(*d.ess_bulk / expected, 1.0, 0.1) << rho;
    EXPECT_LT(*d.r_hat, 1.01);
  }
}

// The mean of 500 sets has the standard deviation its MCSE claims (relative error of a sd of 500: 3%).
TEST(Diagnostics, StandardErrorsAreThoseOfRepeatedRuns) {
  constexpr int kSets = 500;
  std::vector<double> means, sds, claimed_mean, claimed_sd;
  for (int set = 0; set < kSets; ++set) {
    const auto d = diagnose(autoregressive(4, 500, 0.5, 1000 + set));
    means.push_back(*d.mean);
    sds.push_back(*d.sd);
    claimed_mean.push_back(*d.mcse_mean);
    claimed_sd.push_back(*d.mcse_sd);
  }
  EXPECT_NEAR(average(claimed_mean) / std::sqrt(variance(means)), 1.0, 0.12);
  EXPECT_NEAR(average(claimed_sd) / std::sqrt(variance(sds)), 1.0, 0.12);
}

TEST(Diagnostics, ChainsWithDifferentMeansAreCaught) {
  Chains chains = autoregressive(2, 1000, 0.0);
  for (double& x : chains[1]) x += 1.0;
  const auto d = diagnose(chains);
  EXPECT_GT(*d.r_hat, 1.1);
  EXPECT_LT(*d.ess_bulk, 50.0);
}

// Means agree, widths do not: only the folded draws show it.
TEST(Diagnostics, ChainsWithDifferentWidthsAreCaught) {
  Chains chains = autoregressive(2, 1000, 0.0);
  for (double& x : chains[1]) x *= 3.0;
  EXPECT_GT(*diagnose(chains).r_hat, 1.1);
}

TEST(Diagnostics, AChainThatDriftsIsCaughtAlone) {
  Chains chains = autoregressive(1, 1000, 0.0);
  for (std::size_t i = 0; i < 1000; ++i) chains[0][i] += 0.003 * static_cast<double>(i);
  EXPECT_GT(*diagnose(chains).r_hat, 1.1);
}

// Ranks do not care for scale: draws without a mean are measured all the same.
TEST(Diagnostics, AreUnchangedByAMonotoneTransform) {
  const Chains chains = autoregressive(4, 500, 0.4);
  const auto plain = diagnose(chains);
  const auto stretched = diagnose(mapped(chains, [](double x) { return std::exp(3.0 * x); }));
  EXPECT_EQ(*plain.ess_bulk, *stretched.ess_bulk);
  EXPECT_EQ(*plain.ess_tail, *stretched.ess_tail);
}

TEST(Diagnostics, CutChainsToTheShortest) {
  Chains chains = autoregressive(2, 400, 0.2);
  Chains equal = chains;
  for (auto& c : equal) c.resize(300);
  chains[1].resize(300);
  EXPECT_EQ(*diagnose(chains).r_hat, *diagnose(equal).r_hat);
  EXPECT_EQ(*diagnose(chains).ess_bulk, *diagnose(equal).ess_bulk);
}

// --- Edges
// ---------------------------------------------------------------------------------------------------

TEST(Diagnostics, SayWhyThereIsNothingToMeasure) {
  const auto constant = diagnose({std::vector<double>(100, 0.1), std::vector<double>(100, 0.1)});
  EXPECT_EQ(constant.status, Status::kConstant);
  EXPECT_EQ(constant.mean, 0.1);
  EXPECT_FALSE(constant.r_hat || constant.ess_bulk || constant.ess_tail || constant.mcse_mean);
  EXPECT_EQ(diagnose({}).status, Status::kTooFew);
  EXPECT_EQ(diagnose({{1.0, 2.0, 3.0}}).status, Status::kTooFew);
  Chains broken = autoregressive(2, 50, 0.0);
  broken[1][7] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(diagnose(broken).status, Status::kNotFinite);
  broken[1][7] = std::nan("");
  EXPECT_EQ(diagnose(broken).status, Status::kNotFinite);
}

void expect_finite(const DrawsDiagnostics& d) {
  for (const auto& number : {d.mean, d.sd, d.r_hat, d.ess_bulk, d.ess_tail, d.mcse_mean, d.mcse_sd}) {
    EXPECT_TRUE(!number || std::isfinite(*number));
  }
}

TEST(Diagnostics, ChainsThatStandStillApartHaveTheLargestRHat) {
  const auto d = diagnose({std::vector<double>(1000, 0.1), std::vector<double>(1000, 0.3)});
  EXPECT_EQ(d.status, Status::kMeasured);
  EXPECT_EQ(*d.r_hat, kMostRHat);
  EXPECT_LE(*d.ess_bulk, 4.0);
  expect_finite(d);
}

TEST(Diagnostics, AreFiniteForOddDraws) {
  Chains one_moves = {std::vector<double>(100, 0.7), autoregressive(1, 100, 0.0)[0]};
  expect_finite(diagnose(one_moves));
  Chains two_values = mapped(autoregressive(2, 100, 0.0), [](double x) { return x > 0.0 ? 1.0 : -1.0; });
  expect_finite(diagnose(two_values));
  EXPECT_LT(*diagnose(two_values).r_hat, 1.1);
  Chains rare(2, std::vector<double>(100, 0.0));
  rare[1][50] = 1.0;
  expect_finite(diagnose(rare));
  expect_finite(diagnose(mapped(autoregressive(2, 100, 0.0), [](double x) { return 1e300 * x; })));
  expect_finite(diagnose(mapped(autoregressive(2, 100, 0.0), [](double x) { return 1e-300 * x; })));
  Chains alternating(2);
  for (int i = 0; i < 200; ++i) alternating[i % 2].push_back((i / 2) % 2 == 0 ? 1.0 : -1.0);
  expect_finite(diagnose(alternating));
}

TEST(EBfmi, IsTwoForIndependentEnergiesAndSmallForSlowOnes) {
  const auto quick = autoregressive(1, 10'000, 0.0)[0];
  EXPECT_NEAR(*e_bfmi(quick), 2.0, 0.1);
  const auto slow = autoregressive(1, 10'000, 0.95)[0];
  EXPECT_NEAR(*e_bfmi(slow), 2.0 * (1.0 - 0.95), 0.03);
}

TEST(EBfmi, IsEmptyWhereNotDefined) {
  EXPECT_FALSE(e_bfmi(std::vector<double>(100, 0.1)));
  EXPECT_FALSE(e_bfmi(std::vector<double>{1.0, 2.0}));
  std::vector<double> broken(100, 1.0);
  broken[3] = std::nan("");
  EXPECT_FALSE(e_bfmi(broken));
}

}  // namespace
}  // namespace interpole::sampling
