// How many states? Models with different numbers of states side by side, by how well they foresee decisions
// in records they never saw and by their evidence. It reports; it never picks.
#pragma once

#include <string>
#include <vector>

#include "interpole/evaluate/folds.hpp"
#include "interpole/learn/fit/fit.hpp"

namespace interpole::evaluate {

struct StateCountScore {
  int states = 0;
  int parameters = 0;            // learned
  double held_out = 0.0;         // log-likelihood per held-out decision, mean over folds
  double held_out_error = 0.0;   // its standard error over folds
  double log_evidence = 0.0;     // Laplace, all labellings of the states counted
  bool evidence_is_sure = true;  // the expansion was one around a maximum
  bool converged = true;         // every fit
  int modes = 0;                 // of the fit to all records
};

struct StateCounts {
  std::vector<StateCountScore> scores;  // by number of states
  std::vector<std::string> left_out;    // what the study states of its own states, and was not used
};

// The study with `states` unnamed ones: actions, outcomes, masks and what does not depend on states are kept;
// known values, starts, priors and hints of particular states are not, because they speak of other states.
DecisionProblem study_with_states(const DecisionProblem& problem, int states);

// Throws Error(kInterrupted) if asked to stop.
StateCounts compare_state_counts(const FoldTrees& trees, const DecisionProblem& problem, int fewest, int most,
                                 const learn::FitOptions& options, Sink& sink);

}  // namespace interpole::evaluate
