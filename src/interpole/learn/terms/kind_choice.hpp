// How many kinds of decision-makers the evidence asks for (docs/mathematics/kinds.md).
//
// One kind more is searched for where records differ more than one policy lets them (kind_splits.hpp), and
// taken if the evidence gains more than the price of a term. Kinds have no names of their own: K! modes are
// the same explanation, and the evidence counts them all.
#pragma once

#include "interpole/learn/terms/term_choice.hpp"

namespace interpole::learn {

// The same policy with the commonest kind first, the others by their shares.
void put_commonest_first(Policy& policy);

// The same policy with its kinds in the order in which their means are closest to the reference's.
void match_kinds(const Policy& reference, Policy& policy);

// The problem with one kind more to be learned.
void add_kind(DecisionProblem& problem);

// The choice with as many kinds as the evidence asks for, its terms weighed again beside them; the choice as
// it is if that is one. `problem`, `start`: belief alone and its mode. Throws an input error if the study
// allows more kinds than there are records.
TermChoice with_kinds(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                      const Parameters& start, const TermChoice& terms, const TermSearch& search);

}  // namespace interpole::learn
