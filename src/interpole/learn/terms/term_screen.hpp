// What each term would gain, foreseen without fitting it: the log-posterior is expanded to second order at
// the mode without the term, everything that is learned already being free to give way (a score test with
// its evidence). Exact where a term says little, so that what is hopeless need not be looked at; where a
// term says much, a hint of the order.
#pragma once

#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/learn/terms/term_candidates.hpp"
#include "interpole/learn/terms/term_scale.hpp"

namespace interpole::learn {

// One for each candidate; τ is of no meaning for shares. `at`: the mode of the problem, which has none of
// the candidates.
std::vector<TermScale> screen_terms(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                                    DynamicsMode dynamics, const Parameters& at,
                                    const std::vector<TermCandidate>& candidates);

// Where the weights of a term are among the coordinates of a problem that has it (StudySpace).
struct TermColumns {
  int begin = 0;
  int size = 0;
};
TermColumns columns_of_term(const TermCandidate& candidate, const DecisionProblem& problem,
                            DynamicsMode dynamics);

}  // namespace interpole::learn
