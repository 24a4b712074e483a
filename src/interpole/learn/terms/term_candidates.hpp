// The terms that a policy might have, and the covariates by which starting beliefs might differ, given the
// data and what the study asks for.
#pragma once

#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

struct TermCandidate {
  enum class Shape { kInertia, kLapse, kAdditive, kStart };
  std::string name;  // inertia, lapse, habit, time, missing, or the covariate's; start by the covariate's
  Shape shape = Shape::kAdditive;
  PolicyTerm term;                                           // of kAdditive, numbers NaN
  PolicyRequest::Use use = PolicyRequest::Use::kByEvidence;  // never kNever
  StartTerm start{};                                         // of kStart, numbers NaN
  bool has_weights() const { return shape == Shape::kAdditive || shape == Shape::kStart; }
};

// Those that can be learned: an action that can be repeated, steps with enough decisions, results that are
// missing, covariates that vary. The study's request leaves out what it calls false.
std::vector<TermCandidate> term_candidates(const HistoryTree& tree, const DecisionProblem& problem);

// The problem with this term to be learned as well, its weights with scale τ (of no meaning for shares).
void add_term(const TermCandidate& candidate, double scale, DecisionProblem& problem);
void remove_term(const TermCandidate& candidate, DecisionProblem& problem);
// Its place among the additive terms, or among those of starting beliefs; −1: it is not there, or a share.
int place_of_term(const TermCandidate& candidate, const DecisionProblem& problem);
// τ of a term that is there.
double& scale_of_term(const TermCandidate& candidate, DecisionProblem& problem);
double scale_of_term(const TermCandidate& candidate, const DecisionProblem& problem);

// A point of a problem with other terms, moved to this one: shared terms keep their numbers, new ones begin
// where they change little.
Parameters with_terms_of(const DecisionProblem& problem, const Parameters& point);

}  // namespace interpole::learn
