// Learning, whole: restarts in parallel, the best kept, states named, doubts said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/base/files/checkpoint.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/learn/fit/fit_parts.hpp"
#include "interpole/learn/fit/labels.hpp"
#include "interpole/learn/fit/modes.hpp"
#include "interpole/learn/posterior/expected_log_posterior.hpp"
#include "interpole/learn/terms/term_choice.hpp"
#include "interpole/learn/uncertainty/identifiability.hpp"
#include "interpole/learn/uncertainty/uncertainty.hpp"
#include "interpole/optimize/adam.hpp"
#include "interpole/optimize/lbfgs.hpp"
#include "interpole/problem.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

enum class Optimizer {
  kLbfgs,
  kAlgorithm1,  // the paper's: forward-backward, gradient of Q, Adam
};

Optimizer optimizer_named(const std::string& name);  // usage error naming the known ones
std::string name_of(Optimizer optimizer);

// Instead of a number of restarts: go on until the best explanation was found kTimesFound times and few
// starts can lead elsewhere than to ends that were seen, at most kMostRestarts.
inline constexpr int kUntilFound = 0;
inline constexpr int kTimesFound = 3;
inline constexpr int kMostRestarts = 40;

struct FitOptions {
  DynamicsMode dynamics = DynamicsMode::kCoupled;
  // Of coupled dynamics: how far apart agent and world may be. Nothing: by the evidence.
  std::optional<CouplingScales> scales;
  Optimizer optimizer = Optimizer::kLbfgs;
  int restarts = kUntilFound;
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores. Changes how fast, never what
  optimize::LbfgsOptions lbfgs;
  optimize::AdamOptions adam;
  Monitor monitor = Monitor::kExpected;   // of Algorithm 1
  PolicyUse policy = PolicyUse::kBelief;  // which terms beside belief
  bool uncertainty = true;                // expand the posterior around the best fit
  void validate() const;                  // throws a usage error
};

struct FitSummary {
  DecisionProblem problem;                  // the one that was fitted: with the terms that were taken
  std::optional<TermChoice> terms;          // if terms were weighed
  Parameters parameters;                    // of the best restart, states named
  std::optional<Dynamics> world;            // of coupled dynamics
  std::optional<ScaleChoice> scale_choice;  // … unless the scales were given
  CouplingScales scales;                    // … those used
  std::optional<Uncertainty> uncertainty;   // if asked for and not interrupted
  double log_posterior = 0.0;
  double log_prior = 0.0;
  inference::LikelihoodValue log_likelihood;  // both terms, whatever the objective used
  int best_restart = 0;
  std::vector<RestartSummary> restarts;  // those that ran
  std::vector<Mode> modes;
  LabelReport labels;
  PolicyIdentifiability policy;
  int parameters_learned = 0;
  std::int64_t evaluations = 0;  // of all restarts
  double seconds = 0.0;          // of the optimisation
  bool interrupted = false;
  // Set if the study's known values call an outcome of the data impossible; nothing else is then meaningful.
  std::optional<int> impossible_node;

  bool converged() const { return !restarts.empty() && restarts[best_restart].optimize.converged; }
  const optimize::OptimizeSummary& best() const { return restarts[best_restart].optimize; }
};

// With the terms that the options ask for. Throws Error(kInterrupted) if asked to stop before there is
// anything to keep. Finished searches, and the choice of the coupling, are kept in the checkpoint if there is
// one, and taken from it instead of being repeated.
FitSummary fit(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options, Sink& sink,
               base::Checkpoint* checkpoint = nullptr);

// The problem as it is stated, with its terms and no others. `phase` tells its parts of a checkpoint from
// those of other fits. `one`: where a search with one set of dynamics ended; coupled ones then begin there
// too.
FitSummary fit_as_stated(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options,
                         Sink& sink, base::Checkpoint* checkpoint, const std::string& phase = "",
                         const Parameters* one = nullptr);

}  // namespace interpole::learn
