#include "interpole/learn/draws/sample_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/quantile.hpp"

namespace interpole::learn {
namespace {

constexpr double kGoodRHat = 1.01;
constexpr double kEssPerChain = 100.0;
constexpr double kGoodEnergy = 0.3;
constexpr double kMostDeepest = 0.01;  // share of draws
constexpr double kLateRHat = 1.1;      // beyond: more of the same will not help

QuantitySummary summarise(const std::string& name, const std::vector<std::vector<double>>& chains) {
  QuantitySummary result;
  result.name = name;
  std::vector<std::span<const double>> spans;
  std::vector<double> all;
  for (const auto& chain : chains) {
    if (!chain.empty()) spans.emplace_back(chain);
    all.insert(all.end(), chain.begin(), chain.end());
  }
  result.diagnostics = sampling::diagnose_draws(spans);
  for (const double x : all) result.mean += x / static_cast<double>(all.size());
  double squares = 0.0;
  for (const double x : all) squares += (x - result.mean) * (x - result.mean);
  if (all.size() > 1) result.sd = std::sqrt(squares / static_cast<double>(all.size() - 1));
  std::sort(all.begin(), all.end());
  result.q05 = base::quantile_of_sorted(all, 0.05);
  result.median = base::quantile_of_sorted(all, 0.5);
  result.q95 = base::quantile_of_sorted(all, 0.95);
  return result;
}

bool varies(const std::vector<std::vector<double>>& chains) {
  const double* first = nullptr;
  for (const auto& chain : chains) {
    for (const double& x : chain) {
      if (first == nullptr) first = &x;
      if (x != *first) return true;
    }
  }
  return false;
}

ChainQuality quality_of(const SampledChain& chain, int most_depth) {
  ChainQuality result;
  result.draws = static_cast<int>(chain.draws.size());
  std::vector<double> energies;
  for (const SampledDraw& draw : chain.draws) {
    result.divergent += draw.divergent ? 1 : 0;
    result.deepest += draw.tree_depth >= most_depth ? 1 : 0;
    result.mean_accept += draw.accept_stat / result.draws;
    result.leapfrogs += draw.leapfrogs;
    result.step_size = draw.step_size;
    energies.push_back(draw.energy);
  }
  result.e_bfmi = sampling::e_bfmi(energies);
  return result;
}

// The quantity with the largest (or smallest) of some number, if any has it.
template <class NumberOf>
const QuantitySummary* worst(const std::vector<QuantitySummary>& quantities, const NumberOf& number_of) {
  const QuantitySummary* found = nullptr;
  for (const auto& quantity : quantities) {
    const std::optional<double> x = number_of(quantity.diagnostics);
    if (x && (found == nullptr || *x > *number_of(found->diagnostics))) found = &quantity;
  }
  return found;
}

std::optional<double> r_hat_of(const sampling::DrawsDiagnostics& d) {
  return d.r_hat;
}
std::optional<double> negative(const std::optional<double>& x) {
  return x ? std::optional(-*x) : std::nullopt;
}
std::optional<double> few_bulk(const sampling::DrawsDiagnostics& d) {
  return negative(d.ess_bulk);
}
std::optional<double> few_tail(const sampling::DrawsDiagnostics& d) {
  return negative(d.ess_tail);
}

void doubt_quantities(const SampleQuality& quality, double chains, std::vector<std::string>& doubts) {
  const auto& quantities = quality.quantities;
  const auto* apart = worst(quantities, r_hat_of);
  if (apart == nullptr) {
    doubts.emplace_back("there are too few draws to judge them; ask for more by option draws (200 at least)");
    return;
  }
  if (const double r_hat = *apart->diagnostics.r_hat; r_hat > kGoodRHat) {
    doubts.push_back(fmt::format(
        "the chains do not agree: R-hat of {} is {:.3f}, good is below {}; {}", apart->name, r_hat, kGoodRHat,
        r_hat > kLateRHat
            ? "there may be several explanations, or too much left open: fix or state more in the "
              "study, then a longer warm-up (option warm-up)"
            : "ask for a longer warm-up (option warm-up) and more draws (option draws)"));
  }
  const auto* bulk = worst(quantities, few_bulk);
  const auto* tail = worst(quantities, few_tail);
  const bool tail_is_worse = *tail->diagnostics.ess_tail < *bulk->diagnostics.ess_bulk;
  const double ess = tail_is_worse ? *tail->diagnostics.ess_tail : *bulk->diagnostics.ess_bulk;
  if (ess < kEssPerChain * chains) {
    doubts.push_back(fmt::format(
        "{} has only {:.0f} effective draws{}, good are {:.0f}; ask for more draws (option draws)",
        (tail_is_worse ? tail : bulk)->name, ess, tail_is_worse ? " in its tails" : "",
        kEssPerChain * chains));
  }
}

void doubt_chains(const SampleQuality& quality, std::vector<std::string>& doubts) {
  int draws = 0;
  int divergent = 0;
  int deepest = 0;
  for (std::size_t c = 0; c < quality.chains.size(); ++c) {
    const ChainQuality& chain = quality.chains[c];
    draws += chain.draws;
    divergent += chain.divergent;
    deepest += chain.deepest;
    if (chain.e_bfmi && *chain.e_bfmi < kGoodEnergy) {
      doubts.push_back(
          fmt::format("chain {} moves too little between levels of probability (E-BFMI {:.2f}, good is above "
                      "{}), so tails "
                      "may be missed; ask for a longer warm-up (option warm-up), or state narrower priors",
                      c + 1, *chain.e_bfmi, kGoodEnergy));
    }
  }
  if (divergent > 0) {
    doubts.push_back(fmt::format(
        "{} of {} draws diverged: the sampler could not follow the posterior there, and parts of it may be "
        "missed; try option target-accept 0.95 or 0.99",
        divergent, draws));
  }
  if (deepest > kMostDeepest * draws) {
    doubts.push_back(fmt::format(
        "{} of {} draws ended at the longest path allowed: not wrong, but slow; try option metric dense "
        "or a longer warm-up (option warm-up)",
        deepest, draws));
  }
}

}  // namespace

std::optional<double> SampleQuality::largest_r_hat() const {
  const auto* found = worst(quantities, r_hat_of);
  return found != nullptr ? found->diagnostics.r_hat : std::nullopt;
}

std::optional<double> SampleQuality::least_ess_bulk() const {
  const auto* found = worst(quantities, few_bulk);
  return found != nullptr ? found->diagnostics.ess_bulk : std::nullopt;
}

std::optional<double> SampleQuality::least_ess_tail() const {
  const auto* found = worst(quantities, few_tail);
  return found != nullptr ? found->diagnostics.ess_tail : std::nullopt;
}

SampleQuality judge_draws(const std::vector<SampledChain>& chains, const DrawColumns& columns,
                          int most_depth) {
  SampleQuality quality;
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    if (varies(columns.values[i])) {
      quality.quantities.push_back(summarise(columns.names[i], columns.values[i]));
    }
  }
  double with_draws = 0.0;
  for (const SampledChain& chain : chains) {
    quality.chains.push_back(quality_of(chain, most_depth));
    if (!chain.draws.empty()) ++with_draws;
  }
  doubt_quantities(quality, with_draws, quality.doubts);
  doubt_chains(quality, quality.doubts);
  return quality;
}

}  // namespace interpole::learn
