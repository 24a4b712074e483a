#include "interpole/baselines/reward_chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "interpole/base/error.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/optimize/diagnostics.hpp"

namespace interpole {
namespace {

constexpr std::uint64_t kChainPurpose = 41;
constexpr std::uint64_t kSearchPurpose = 42;
constexpr double kGoodRHat = 1.05;  // random walks need long chains for less, and means do not need them

}  // namespace

std::vector<double> noisy_start(const RewardProblem& problem, int search, RandomStream& random) {
  std::vector<double> start = problem.start;
  const double noise = search == 0 ? kPaperStep : 1.0 / problem.agent.inverse_temperature;
  for (double& reward : start) reward += noise * random.normal();
  return start;
}

std::vector<std::vector<double>> search_starts(const RewardProblem& problem) {
  std::vector<std::vector<double>> starts;
  for (int search = 0; search < problem.chains.chains; ++search) {
    RandomStream random(problem.chains.seed, search, kSearchPurpose);
    starts.push_back(noisy_start(problem, search, random));
  }
  return starts;
}

NormalFit highest_peak(const std::string& learner, const LogDensity& log_density,
                       const std::vector<std::vector<double>>& starts, const std::vector<double>& units,
                       const RewardChainOptions& options, Sink& sink) {
  const NormalFitOptions fit_options{.units = units, .most_sd = options.prior_sd_in_units};
  std::vector<NormalFit> peaks(starts.size());
  parallel_tasks(static_cast<int>(starts.size()), options.threads, [&](int i) {
    peaks[i] = fit_normal(log_density, starts[i], fit_options, [&] { return sink.stop_requested(); });
  });
  if (sink.stop_requested()) throw interrupted_learner(learner);
  return *std::ranges::max_element(peaks, {}, &NormalFit::log_density);
}

std::vector<double> dispersed_start(const NormalFit& peak, RandomStream& random) {
  std::vector<double> wide = peak.covariance;
  for (double& x : wide) x *= 4.0;
  std::vector<double> start(peak.mode.size());
  RandomWalk(wide).propose(peak.mode, random, start);
  return start;
}

double log_reward_prior(std::span<const double> rewards, double sd) {
  double sum = 0.0;
  for (const double reward : rewards) sum -= 0.5 * (reward / sd) * (reward / sd);
  return sum;
}

std::vector<MetropolisChain> run_chains(const std::string& learner, const RewardChainOptions& options,
                                        Sink& sink, const ChainBody& body) {
  constexpr int kStepsPerReport = 100;
  std::vector<MetropolisChain> chains(options.chains);
  std::atomic<std::int64_t> done = 0;
  const std::int64_t total = static_cast<std::int64_t>(options.chains) * options.steps;
  parallel_tasks(options.chains, options.threads, [&](int chain) {
    RandomStream random(options.seed, chain, kChainPurpose);
    int ticks = 0;
    chains[chain] = body(chain, random, [&] {
      if (++ticks % kStepsPerReport == 0) sink.progress("reward chains", done += kStepsPerReport, total);
      return sink.stop_requested();
    });
  });
  for (const MetropolisChain& chain : chains) {
    if (chain.interrupted) throw interrupted_learner(learner);
  }
  return chains;
}

DrawsSummary summarise(const std::vector<MetropolisChain>& chains, const RewardChainOptions& options) {
  DrawsSummary summary;
  const std::size_t size = chains.front().draws.front().size();
  summary.mean.assign(size, 0.0);
  const std::size_t every = options.paper ? kPaperThinning : 1;
  double kept = 0.0;
  double acceptance = 0.0;
  for (const MetropolisChain& chain : chains) {
    acceptance += chain.acceptance / static_cast<double>(chains.size());
    for (std::size_t i = every - 1; i < chain.draws.size(); i += every) {
      for (std::size_t k = 0; k < size; ++k) summary.mean[k] += chain.draws[i][k];
      kept += 1.0;
    }
  }
  for (double& x : summary.mean) x /= kept;
  for (std::size_t k = 0; k < size; ++k) {
    std::vector<std::vector<double>> columns;
    for (const MetropolisChain& chain : chains) {
      columns.emplace_back();
      for (const auto& draw : chain.draws) columns.back().push_back(draw[k]);
    }
    const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
    const DrawsDiagnostics quality = diagnose_draws(spans);
    if (quality.status != DrawsDiagnostics::Status::kMeasured) continue;
    summary.worst_r_hat = std::max(summary.worst_r_hat.value_or(0.0), *quality.r_hat);
    summary.least_ess = std::min(summary.least_ess.value_or(INFINITY), *quality.ess_bulk);
  }
  if (!(summary.worst_r_hat.value_or(INFINITY) <= kGoodRHat)) {
    summary.doubt = options.paper ? "the paper's chain is too short" : "chains still differ";
  }
  summary.sentence = fmt::format("{} chain{} of {} steps, {:.0f}% accepted", chains.size(),
                                 chains.size() == 1 ? "" : "s", options.steps, 100.0 * acceptance);
  if (summary.worst_r_hat) {
    summary.sentence += fmt::format(", worst R-hat {:.3f}, at least {:.0f} effective draws",
                                    *summary.worst_r_hat, *summary.least_ess);
  } else {
    summary.sentence += ", too few draws to judge them";
  }
  return summary;
}

}  // namespace interpole
