// Dynamics from what was observed alone: the input-output hidden Markov model whose inputs are the actions
// taken, fitted by expectation-maximisation (Baum-Welch) on the history tree.
//
//   E-step  expected moves and outcomes by forward-backward (inference/hidden_paths/smoothing.hpp)
//   M-step  each row: θ_i = mass · n_i / Σ n,  n_i = expected count + (α_i − 1) + pseudo-count
//
// Known values and masks are held, α is the study's Dirichlet prior. What an iteration climbs, and never
// falls from, is log p(observations | actions, θ) + Σ (α_i − 1 + pseudo-count) log(θ_i/mass). Cost of an
// iteration: O(nodes · S²).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/problem.hpp"
#include "interpole/sink.hpp"

namespace interpole::learners {

struct BaumWelchOptions {
  int restarts = 10;
  int most_iterations = 5000;
  double tolerance = 1e-9;  // stop when an iteration gains less than this share of the value
  // Added to every expected count, so that an outcome which was never seen is unlikely, not impossible.
  double pseudo_count = 1e-3;
  std::uint64_t seed = 1;
  int threads = 0;
  void validate() const;  // throws a usage error
};

// One climb.
struct BaumWelchRun {
  Dynamics dynamics;
  double log_likelihood = 0.0;  // of the observations
  std::vector<double> values;   // what is climbed, before each iteration and at the end
  bool converged = false;
  bool interrupted = false;
  std::optional<int> impossible_node;  // nothing else is then meaningful

  int iterations() const { return static_cast<int>(values.size()) - 1; }
};

BaumWelchRun run_baum_welch(const HistoryTree& tree, const Structure& structure,
                            const model::DynamicsSpace& space, const Priors& priors, const Dynamics& start,
                            const BaumWelchOptions& options, const std::function<bool()>& stop = {});

// The best of several climbs from starts as the study states them, drawn from the prior where it does not.
// What the study knows of the world is held. Interrupted if any climb was.
BaumWelchRun baum_welch(const HistoryTree& tree, const DecisionProblem& problem,
                        const BaumWelchOptions& options, Sink& sink);

}  // namespace interpole::learners
