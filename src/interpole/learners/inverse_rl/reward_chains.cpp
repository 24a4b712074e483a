#include "interpole/learners/inverse_rl/reward_chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/error.hpp"
#include "interpole/sampling/diagnostics.hpp"

namespace interpole::learners {
namespace {

constexpr double kGoodRHat = 1.05;  // more draws than for less are seldom worth their time

using Rows = std::vector<std::vector<double>>;  // draws of one chain

// The worst of all numbers that move.
struct Quality {
  std::optional<double> r_hat;
  std::optional<double> ess;

  bool good() const { return r_hat.value_or(INFINITY) <= kGoodRHat; }
  std::string sentence() const {
    if (!r_hat) return ", too few draws to judge them";
    return fmt::format(", worst R-hat {:.3f}, at least {:.0f} effective draws", *r_hat, *ess);
  }
};

Quality worst_of(std::span<const Rows> chains) {
  Quality worst;
  for (std::size_t k = 0; k < chains.front().front().size(); ++k) {
    std::vector<std::vector<double>> columns;
    for (const Rows& draws : chains) {
      columns.emplace_back();
      for (const auto& draw : draws) columns.back().push_back(draw[k]);
    }
    const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
    const sampling::DrawsDiagnostics quality = sampling::diagnose_draws(spans);
    if (quality.status != sampling::DrawsDiagnostics::Status::kMeasured) continue;
    worst.r_hat = std::max(worst.r_hat.value_or(0.0), *quality.r_hat);
    worst.ess = std::min(worst.ess.value_or(INFINITY), *quality.ess_bulk);
  }
  return worst;
}

// Of every so many-th draw.
std::vector<double> mean_of(std::span<const Rows> chains, std::size_t every) {
  std::vector<double> mean(chains.front().front().size(), 0.0);
  double kept = 0.0;
  for (const Rows& draws : chains) {
    for (std::size_t i = every - 1; i < draws.size(); i += every) {
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += draws[i][k];
      kept += 1.0;
    }
  }
  for (double& x : mean) x /= kept;
  return mean;
}

}  // namespace

std::vector<double> noisy_start(const RewardProblem& problem, int search, base::RandomStream& random) {
  std::vector<double> start = problem.start;
  const double noise = search == 0 ? kPaperStep : 1.0 / problem.agent.inverse_temperature;
  for (double& reward : start) reward += noise * random.normal();
  return start;
}

std::vector<std::vector<double>> search_starts(const RewardProblem& problem) {
  std::vector<std::vector<double>> starts;
  for (int search = 0; search < problem.chains.chains; ++search) {
    base::RandomStream random(problem.chains.seed, search, base::RandomPurpose::kRewardSearch);
    starts.push_back(noisy_start(problem, search, random));
  }
  return starts;
}

double log_reward_prior(std::span<const double> rewards, double sd) {
  double sum = 0.0;
  for (const double reward : rewards) sum -= 0.5 * (reward / sd) * (reward / sd);
  return sum;
}

void run_chains(const std::string& learner, const RewardChainOptions& options, Sink& sink,
                const ChainBody& body) {
  constexpr int kStepsPerReport = 100;
  std::atomic<std::int64_t> done = 0;
  std::atomic<bool> finished = true;
  const std::int64_t total = static_cast<std::int64_t>(options.chains) * options.steps;
  base::parallel_tasks(options.chains, options.threads, [&](int chain) {
    base::RandomStream random(options.seed, chain, base::RandomPurpose::kRewardChain);
    int ticks = 0;
    const bool ended = body(chain, random, [&] {
      if (++ticks % kStepsPerReport == 0) sink.progress("reward chains", done += kStepsPerReport, total);
      return sink.stop_requested();
    });
    if (!ended) finished = false;
  });
  if (!finished) throw interrupted_learner(learner);
}

sampling::MetropolisChain run_papers_chain(
    const std::string& learner, const RewardChainOptions& options, Sink& sink,
    const std::function<sampling::MetropolisChain(base::RandomStream& random,
                                                  const std::function<bool()>& tick)>& body) {
  sampling::MetropolisChain chain;
  run_chains(learner, options, sink, [&](int, base::RandomStream& random, const std::function<bool()>& stop) {
    chain = body(random, stop);
    return !chain.interrupted;
  });
  return chain;
}

DrawsSummary summarise_papers_chain(const sampling::MetropolisChain& chain,
                                    const RewardChainOptions& options) {
  DrawsSummary summary;
  summary.mean = mean_of({&chain.draws, 1}, kPaperThinning);
  const Quality quality = worst_of({&chain.draws, 1});
  summary.worst_r_hat = quality.r_hat;
  summary.least_ess = quality.ess;
  if (!quality.good()) summary.doubt = "the paper's chain is too short";
  summary.sentence = fmt::format("1 chain of {} steps, {:.0f}% accepted{}", options.steps,
                                 100.0 * chain.acceptance, quality.sentence());
  return summary;
}

DrawsSummary summarise(const std::vector<RewardChain>& chains, const RewardChainOptions& options) {
  std::vector<Rows> draws;
  std::vector<Rows> policies;
  double acceptance = 0.0;
  int divergent = 0;
  for (const RewardChain& chain : chains) {
    draws.push_back(chain.draws);
    for (std::size_t i = 0; i < chain.draws.size(); ++i) draws.back()[i].push_back(chain.log_densities[i]);
    policies.push_back(chain.policies);
    acceptance += chain.acceptance / static_cast<double>(chains.size());
    divergent += chain.divergent;
  }
  DrawsSummary summary;
  summary.mean = mean_of(draws, 1);
  summary.mean.pop_back();  // the density's
  const Quality numbers = worst_of(draws);
  const Quality behaviour = worst_of(policies);
  summary.worst_r_hat = numbers.r_hat;
  summary.least_ess = numbers.ess;
  // Where there is one action there is no behaviour to judge.
  if (!numbers.good() || (behaviour.r_hat && !behaviour.good())) summary.doubt = "chains still differ";
  summary.sentence = fmt::format("{} of {} steps, {:.0f}% accepted{}",
                                 base::counted(static_cast<std::int64_t>(chains.size()), "chain"),
                                 options.steps, 100.0 * acceptance, numbers.sentence());
  if (behaviour.r_hat) summary.sentence += fmt::format("; of policies{}", behaviour.sentence().substr(1));
  if (divergent > 0) {
    summary.sentence +=
        fmt::format("; {} of {} draws diverged", divergent, chains.size() * chains.front().draws.size());
  }
  return summary;
}

std::vector<std::vector<double>> predicting_draws(const std::vector<RewardChain>& chains) {
  Rows kept;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const Rows& draws = chains[c].draws;
    // Of so many, this chain's share: shares differ by one at most.
    const std::size_t share = std::min(
        draws.size(), kPredictingDraws * (c + 1) / chains.size() - kPredictingDraws * c / chains.size());
    for (std::size_t k = 0; k < share; ++k) kept.push_back(draws[(2 * k + 1) * draws.size() / (2 * share)]);
  }
  if (kept.empty()) kept.push_back(chains.front().draws.back());
  return kept;
}

}  // namespace interpole::learners
