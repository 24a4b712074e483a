// INTERPOLE itself as a row of the table: learn/fit/fit.hpp in one of its three modes, and with policy terms.
#pragma once

#include "interpole/learn/fit/fit.hpp"
#include "interpole/learners/learner.hpp"

namespace interpole::learners {

// "interpole" (coupled), "interpole-shared" (the paper's), "interpole-subjective" (actions alone).
const Learner& interpole_learner(DynamicsMode mode);

// "interpole-terms": coupled, and decisions may follow more than belief, as far as the evidence asks for it.
const Learner& interpole_terms_learner();

// What the learner's options mean to a fit.
void apply_interpole_options(const Learner& learner, const LearnerOptions& options, learn::FitOptions& fit);

// A fit that is whole: an interrupted one throws the error of a learner that was asked to stop, and an
// outcome of the data that the study calls impossible an input error.
learn::FitSummary fit_model(const std::string& learner, const HistoryTree& tree,
                            const DecisionProblem& problem, const learn::FitOptions& options, Sink& sink);

std::string fit_note(const learn::FitSummary& fit);

}  // namespace interpole::learners
