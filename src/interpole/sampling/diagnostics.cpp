#include "interpole/sampling/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "interpole/base/quantile.hpp"
#include "interpole/optimize/all_finite.hpp"
#include "interpole/sampling/effective_sample_size.hpp"

namespace interpole::sampling {
namespace {

constexpr int kFewestDraws = 12;  // halves of six: the first pair of lags can be measured

// Φ⁻¹ by Halley's method on erfc, from a start good to 5·10⁻⁴ (Abramowitz and Stegun 26.2.23).
double normal_quantile(double probability) {
  const double tail = std::min(probability, 1.0 - probability);
  const double t = std::sqrt(-2.0 * std::log(tail));
  double x =
      t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int i = 0; i < 2; ++i) {  // solves Q(x) = tail; each round triples the digits
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double newton = (0.5 * std::erfc(x / std::numbers::sqrt2) - tail) / density;
    x += newton / (1.0 - 0.5 * x * newton);
  }
  return probability < 0.5 ? -x : x;
}

ChainTable table_of(ChainsOfDraws chains) {
  ChainTable table;
  if (chains.empty()) return table;
  std::size_t shortest = chains[0].size();
  for (const auto& chain : chains) shortest = std::min(shortest, chain.size());
  table.chains = static_cast<int>(chains.size());
  table.draws = static_cast<int>(shortest);
  for (const auto& chain : chains) {
    table.values.insert(table.values.end(), chain.begin(), chain.begin() + table.draws);
  }
  return table;
}

// Each chain as two; the middle draw of an odd number is left out.
ChainTable split(const ChainTable& table) {
  ChainTable halves{2 * table.chains, table.draws / 2, {}};
  halves.values.reserve(table.values.size());
  for (int c = 0; c < table.chains; ++c) {
    const double* first = table.chain(c);
    const double* end = first + table.draws;
    halves.values.insert(halves.values.end(), first, first + halves.draws);
    halves.values.insert(halves.values.end(), end - halves.draws, end);
  }
  return halves;
}

// Normal scores of ranks; draws that tie share the mean of their ranks.
ChainTable rank_normalised(ChainTable table) {
  const std::size_t n = table.values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return table.values[a] < table.values[b]; });
  std::vector<double> scores(n);
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i;
    while (end < n && table.values[order[end]] == table.values[order[i]]) ++end;
    const double rank = 0.5 * static_cast<double>(i + 1 + end);
    const double score = normal_quantile((rank - 0.375) / (static_cast<double>(n) + 0.25));
    for (; i < end; ++i) scores[order[i]] = score;
  }
  table.values = std::move(scores);
  return table;
}

template <typename Function>
ChainTable mapped(ChainTable table, Function&& function) {
  for (double& x : table.values) x = function(x);
  return table;
}

bool is_constant(const ChainTable& table) {
  return std::all_of(table.values.begin(), table.values.end(),
                     [&](double x) { return x == table.values.front(); });
}

double r_hat_of(const ChainTable& table, double median) {
  const double bulk = plain_r_hat(rank_normalised(split(table)));
  const ChainTable folded = mapped(table, [&](double x) { return std::abs(x - median); });
  const double wide = plain_r_hat(rank_normalised(split(folded)));
  return std::min(std::max(bulk, wide), kMostRHat);
}

// Of the two tails, those whose quantile divides the draws (ties may leave all on one side).
std::optional<double> tail_size_of(const ChainTable& table, const std::vector<double>& sorted) {
  std::optional<double> smallest;
  for (const double probability : {0.05, 0.95}) {
    const double quantile = base::quantile_of_sorted(sorted, probability);
    const ChainTable below = split(mapped(table, [&](double x) { return x <= quantile ? 1.0 : 0.0; }));
    if (is_constant(below)) continue;
    const double size = plain_effective_sample_size(below);
    smallest = std::min(size, smallest.value_or(size));
  }
  return smallest;
}

// Standard error of a standard deviation: that of the variance, carried through the root.
double mcse_of_sd(const ChainTable& table, double mean) {
  const ChainTable squares = mapped(table, [&](double x) { return (x - mean) * (x - mean); });
  const auto n = static_cast<double>(table.values.size());
  double second = 0.0, fourth = 0.0;
  for (const double s : squares.values) {
    second += s / n;
    fourth += s * s / n;
  }
  const double variance = (fourth - second * second) / plain_effective_sample_size(split(squares));
  return std::sqrt(std::max(0.0, variance) / second) / 2.0;
}

std::optional<double> finite_only(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

DrawsDiagnostics measured(const ChainTable& table) {
  DrawsDiagnostics result;
  result.status = DrawsDiagnostics::Status::kMeasured;
  const auto n = static_cast<double>(table.values.size());
  double mean = 0.0, variance = 0.0;
  for (const double x : table.values) mean += x / n;
  for (const double x : table.values) variance += (x - mean) * (x - mean) / (n - 1.0);
  std::vector<double> sorted = table.values;
  std::sort(sorted.begin(), sorted.end());
  result.mean = finite_only(mean);
  result.sd = finite_only(std::sqrt(variance));
  result.r_hat = r_hat_of(table, base::quantile_of_sorted(sorted, 0.5));
  result.ess_bulk = plain_effective_sample_size(rank_normalised(split(table)));
  result.ess_tail = tail_size_of(table, sorted);
  result.mcse_mean = finite_only(std::sqrt(variance / plain_effective_sample_size(split(table))));
  result.mcse_sd = finite_only(mcse_of_sd(table, mean));
  return result;
}

}  // namespace

DrawsDiagnostics diagnose_draws(ChainsOfDraws chains) {
  using Status = DrawsDiagnostics::Status;
  const ChainTable table = table_of(chains);
  DrawsDiagnostics result;
  if (table.draws < kFewestDraws) return result;
  if (!optimize::all_finite(table.values)) {
    result.status = Status::kNotFinite;
  } else if (is_constant(table)) {
    result.status = Status::kConstant;
    result.mean = table.values.front();
  } else {
    result = measured(table);
  }
  return result;
}

std::optional<double> e_bfmi(std::span<const double> energies) {
  if (energies.size() < kFewestDraws || !optimize::all_finite(energies)) return std::nullopt;
  const auto n = static_cast<double>(energies.size());
  double mean = 0.0, changes = 0.0, spread = 0.0;
  for (const double e : energies) mean += (e - energies[0]) / n;  // exact if all are the same
  mean += energies[0];
  for (std::size_t i = 0; i < energies.size(); ++i) {
    spread += (energies[i] - mean) * (energies[i] - mean);
    if (i > 0) changes += (energies[i] - energies[i - 1]) * (energies[i] - energies[i - 1]);
  }
  return spread > 0.0 ? finite_only(changes / spread) : std::nullopt;
}

}  // namespace interpole::sampling
