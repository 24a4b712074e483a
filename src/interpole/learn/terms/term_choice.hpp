// Which terms beside belief the evidence asks for (docs/mathematics/policy-terms.md).
//
// Terms are added one at a time, the best first, as long as the evidence gains more than a term's price; then
// those that the others have made superfluous are taken away again. The scale τ of an additive term is the
// one of the highest evidence. Dynamics are one set meanwhile: what a term can explain, no difference between
// agent and world shall have to.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "interpole/learn/terms/term_candidates.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

// log of the odds that a term must overcome: one term in twenty is thought to be needed.
inline constexpr double kPriceOfTerm = 3.0;

struct WeighedTerm {
  TermCandidate candidate;
  bool taken = false;
  double scale = 0.0;      // τ, of an additive term
  double log_ratio = 0.0;  // log evidence with it over without it, the other taken terms being there
};

// Kinds of decision-makers (kind_choice.hpp).
struct WeighedKinds {
  int most = 1;            // that could have been taken
  int taken = 1;           // 1: all decision-makers are alike
  double deviation = 0.0;  // how much more records differ than one policy lets them, in standard errors
  bool searched() const;   // whether that was enough to search for kinds
  double log_ratio = 0.0;  // log evidence of the best found over one kind, each with its terms, prices paid
};

struct TermChoice {
  std::vector<WeighedTerm> weighed;  // all that could have been taken
  DecisionProblem problem;           // with the taken ones to be learned
  Parameters at;                     // the mode there
  double log_evidence = 0.0;         // there
  int evaluations = 0;               // of the evidence
  WeighedKinds kinds{};

  int taken() const;
  double price() const { return kPriceOfTerm * (taken() + kinds.taken - 1); }
  // What to add to the evidence of a mode to compare it with others: kinds have no order, so that there are
  // K! such modes; and the price.
  double log_credit() const { return std::lgamma(kinds.taken + 1.0) - price(); }
};

struct TermSearch {
  PolicyUse use = PolicyUse::kAuto;
  DynamicsMode dynamics = DynamicsMode::kShared;  // or subjective
  optimize::LbfgsOptions lbfgs;
  Sink* sink = &quiet_sink();
  int threads = 1;  // 0: all cores. Candidates are weighed side by side; the choice does not depend on it
};

// `start`: the mode of belief alone.
TermChoice choose_terms(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                        const Parameters& start, const TermSearch& search);

}  // namespace interpole::learn
