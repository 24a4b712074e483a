// What PO-IRL and Off. PO-IRL share: their options, where their chains begin, and what is made of the draws.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpole/learners/inverse_rl/reward_agent.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/simple/baum_welch.hpp"
#include "interpole/sampling/random_walk.hpp"
#include "interpole/sink.hpp"

namespace interpole::learners {

// The paper's chain (C.2): 1,000 samples by steps of 0.001, one chain; the estimate is the mean of every
// tenth sample of the second half. It hardly leaves its start.
inline constexpr int kPaperSamples = 1000;
inline constexpr double kPaperStep = 0.001;
inline constexpr int kPaperThinning = 10;

struct RewardChainOptions {
  bool paper = false;
  int chains = 4;
  int steps = 400;                  // of each chain; the first half adapts and is not kept
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
RewardProblem prepare_rewards(const Learner& learner, const HistoryTree& tree, const DecisionProblem& study,
                              const LearnerOptions& options, Sink& sink);

// The authors start DIAG and BIAS where the right declaration earns 0.25 and the wrong one costs 0.375. In
// general: where a study states the mean an action starts from, r(s) = 0.25 (2.5 μ(s) − 1.5), which is just
// that for means of 0 and 1; elsewhere 0, as in the paper.
std::vector<double> reward_start(const DecisionProblem& study);

// The start with the paper's noise. Searches after the first begin farther away, one unit of β·r.
std::vector<double> noisy_start(const RewardProblem& problem, int search, base::RandomStream& random);
// One for each chain.
std::vector<std::vector<double>> search_starts(const RewardProblem& problem);

double log_reward_prior(std::span<const double> rewards, double sd);

// Runs chains 0, 1, … on threads. A body says false if it was told to stop; an interrupted error is thrown
// then.
using ChainBody =
    std::function<bool(int chain, base::RandomStream& random, const std::function<bool()>& tick)>;
void run_chains(const std::string& learner, const RewardChainOptions& options, Sink& sink,
                const ChainBody& body);
// The paper's, of which there is one.
sampling::MetropolisChain run_papers_chain(
    const std::string& learner, const RewardChainOptions& options, Sink& sink,
    const std::function<sampling::MetropolisChain(base::RandomStream& random,
                                                  const std::function<bool()>& tick)>& body);

// One of ours.
struct RewardChain : sampling::MetropolisChain {
  std::vector<std::vector<double>> policies;  // of each draw: π at histories where many decisions were taken
  int divergent = 0;                          // draws whose trajectory the sampler could not follow
};

struct DrawsSummary {
  std::vector<double> mean;  // the estimate, as the paper forms it: the mean of the draws kept
  std::optional<double> worst_r_hat;
  std::optional<double> least_ess;
  std::string doubt;  // in a few words; empty: R̂ ≤ 1.05 of everything that moves
  std::string sentence;
};
DrawsSummary summarise_papers_chain(const sampling::MetropolisChain& chain,
                                    const RewardChainOptions& options);
// Judges all numbers of the draws, their density and the policies.
DrawsSummary summarise(const std::vector<RewardChain>& chains, const RewardChainOptions& options);

// At most this many draws stand for the posterior when actions are predicted: the error of their mean is a
// fourteenth of the posterior's width, or less.
inline constexpr std::size_t kPredictingDraws = 200;
// Evenly spaced over the draws of all chains.
std::vector<std::vector<double>> predicting_draws(const std::vector<RewardChain>& chains);

}  // namespace interpole::learners
