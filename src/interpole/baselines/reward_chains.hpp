// What PO-IRL and Off. PO-IRL share: their options, where their chains begin, and what is made of the draws.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpole/base/sink.hpp"
#include "interpole/baselines/baum_welch.hpp"
#include "interpole/baselines/learner_options.hpp"
#include "interpole/baselines/reward_agent.hpp"
#include "interpole/optimize/normal_fit.hpp"
#include "interpole/optimize/random_walk.hpp"

namespace interpole {

// The paper's chain (C.2): 1,000 samples by steps of 0.001, one chain; the estimate is the mean of every
// tenth sample of the second half. It hardly leaves its start.
inline constexpr int kPaperSamples = 1000;
inline constexpr double kPaperStep = 0.001;
inline constexpr int kPaperThinning = 10;

struct RewardChainOptions {
  bool paper = false;
  int chains = 4;
  int steps = 4000;                 // of each chain; the first half adapts and is not kept
  double prior_sd = 1.0;            // of every reward beforehand, normal around zero
  double prior_sd_in_units = 10.0;  // of β times it
  std::uint64_t seed = 1;
  int threads = 0;

  int warm_up() const { return steps / 2; }
};

// Everything that is asked for before the chains begin.
struct RewardProblem {
  RewardAgent agent;
  Dynamics dynamics;          // by Baum-Welch from observations alone, states named as the study has it
  std::vector<double> start;  // rewards
  RewardChainOptions chains;
  std::string sentence;  // how Baum-Welch and the naming went
  bool converged = false;
};

std::vector<LearnerOption> reward_learner_options();

// Fits the dynamics and prepares the rest. Throws an interrupted error if asked to stop.
RewardProblem prepare_rewards(const Learner& learner, const HistoryTree& tree, const Study& study,
                              const LearnerOptions& options, Sink& sink);

// The authors start DIAG and BIAS where the right declaration earns 0.25 and the wrong one costs 0.375. In
// general: where a study states the mean an action starts from, r(s) = 0.25 (2.5 μ(s) − 1.5), which is just
// that for means of 0 and 1; elsewhere 0, as in the paper.
std::vector<double> reward_start(const Study& study);

// The start with the paper's noise. Searches after the first begin farther away, one unit of β·r.
std::vector<double> noisy_start(const RewardProblem& problem, int search, RandomStream& random);
// One for each chain.
std::vector<std::vector<double>> search_starts(const RewardProblem& problem);

using LogDensity = std::function<double(std::span<const double>)>;

// Where chains that adapt begin, and with which steps: around the highest of several peaks of the target,
// found from `starts`. `units`: as in optimize/normal_fit.hpp. Throws an interrupted error if asked to stop.
NormalFit highest_peak(const std::string& learner, const LogDensity& log_density,
                       const std::vector<std::vector<double>>& starts, const std::vector<double>& units,
                       const RewardChainOptions& options, Sink& sink);

// A point about twice as far from the peak as draws are, so that chains which agree have come from different
// places.
std::vector<double> dispersed_start(const NormalFit& peak, RandomStream& random);

double log_reward_prior(std::span<const double> rewards, double sd);

// Runs chains 0, 1, … on threads; one in the paper's way. Throws an interrupted error if asked to stop.
using ChainBody =
    std::function<MetropolisChain(int chain, RandomStream& random, const std::function<bool()>& tick)>;
std::vector<MetropolisChain> run_chains(const std::string& learner, const RewardChainOptions& options,
                                        Sink& sink, const ChainBody& body);

struct DrawsSummary {
  std::vector<double> mean;  // the estimate, as the paper forms it: the mean of the draws kept
  std::optional<double> worst_r_hat;
  std::optional<double> least_ess;
  std::string doubt;  // in a few words; empty: worst R̂ ≤ 1.05
  std::string sentence;
};
DrawsSummary summarise(const std::vector<MetropolisChain>& chains, const RewardChainOptions& options);

}  // namespace interpole
