// The mean-vector policy on beliefs that are given: η and μ by L-BFGS on the action likelihood and the
// study's priors, with the dynamics held.
#pragma once

#include <cstdint>

#include "interpole/history_tree.hpp"
#include "interpole/optimize/lbfgs.hpp"
#include "interpole/problem.hpp"
#include "interpole/sink.hpp"

namespace interpole::learners {

struct BeliefPolicyOptions {
  int restarts = 10;
  std::uint64_t seed = 1;
  int threads = 0;
  optimize::LbfgsOptions lbfgs;
};

struct BeliefPolicy {
  Policy policy;
  optimize::OptimizeSummary optimize;  // of the best restart; its value is the log-posterior of the policy
  bool interrupted = false;
};

// The dynamics must not call an outcome of the tree impossible.
BeliefPolicy fit_belief_policy(const HistoryTree& tree, const DecisionProblem& problem,
                               const Dynamics& dynamics, const BeliefPolicyOptions& options, Sink& sink);

}  // namespace interpole::learners
