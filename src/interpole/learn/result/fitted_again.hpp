// Finished fits as the beginning of others.
#pragma once

#include <optional>

#include "interpole/fit.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/optimize/summary.hpp"
#include "interpole/priors.hpp"
#include "interpole/problem.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

// The problem that the fit solved, its terms and kinds among it, with these priors. τ of terms is in no model
// file: they are as wide as the weights that were found. The fit must say how sure it is.
DecisionProblem problem_of(const FitResult& fit, const Priors& priors);

// The nearest explanation with agent and world as one set of dynamics, the same terms and kinds learned anew.
// Nothing where the fit has no world or does not say how sure it is, and where what is known of the agent
// alone cannot be known of both.
std::optional<FitResult> with_one_set_of_dynamics(const FitResult& coupled, const Priors& priors,
                                                  const HistoryTree& tree, int threads, Sink& sink);

// What the fit would have been on other records: the same terms, kinds and σ, climbed from where it ended.
// Nothing where the fit does not say how sure it is.
struct ClimbedAgain {
  AgentWorld agent_world;
  optimize::OptimizeSummary climb;
};
std::optional<ClimbedAgain> climbed_again(const FitResult& fit, const Priors& priors, const HistoryTree& tree,
                                          int threads, Sink& sink);

}  // namespace interpole::learn
