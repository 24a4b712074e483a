// Which rows of the agent's dynamics are not the world's (docs/mathematics/coupling.md).
//
// A row's gap is zero or has a σ of its own. k wrong rows have a prior chance falling with k, every set of
// k rows the same. Rows are taken in one at a time, the best first, as long as the evidence gains more than
// that costs; then those that others have made superfluous are let go. All hypotheses met on the way are
// kept and averaged over.
#pragma once

#include <vector>

#include "interpole/base/dealing/steps.hpp"
#include "interpole/learn/uncertainty/coupled_mode.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

struct RowHypothesis {
  std::vector<double>
      sigma;               // by row (CoupledSpace::links), the likeliest; 0: the agent's row is the world's
  double log_prior = 0.0;  // among all sets of rows but the empty one
  double log_evidence = 0.0;  // averaged over the prior of σ
};

struct RowSearchResult {
  std::vector<RowHypothesis> hypotheses;  // empty if there are fewer than two rows
  CoupledMode best;                       // of the likeliest that was looked at with the data
};

// `together`: the mode of σ = 0. `steps`: one for every look at the data.
RowSearchResult search_rows(ModeFollower& follower, const DecisionProblem& problem,
                            const CoupledMode& together, const Sink& sink, base::Steps& steps);

// At most so many looks.
std::size_t looks_at_rows(const DecisionProblem& problem);

// The log prior of one set of `wrong` rows among `rows`.
double log_prior_of_rows(int wrong, int rows);
// The prior chance of a row to be among the wrong ones.
double prior_of_row(int rows);

}  // namespace interpole::learn
