// What the terms of a policy add to a decision in its context (parameters.hpp says what a term is).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "interpole/belief.hpp"

namespace interpole::model {

inline constexpr std::array kTermKinds = {TermKind::kHabit, TermKind::kTime, TermKind::kResultMissing,
                                          TermKind::kContext, TermKind::kGroup};

// "habit", "time", "missing", "context", "group": as model files have it.
const char* kind_name(TermKind kind);

// Whether terms of this kind name a covariate.
constexpr bool follows_covariate(TermKind kind) {
  return kind == TermKind::kContext || kind == TermKind::kGroup;
}

// The level a decision is at, and its value there. Level −1: the term says nothing of this decision.
struct ActiveLevel {
  int level = -1;
  double value = 0.0;
};
ActiveLevel active_level(const PolicyTerms& terms, const PolicyTerm& term, int actions,
                         const DecisionContext& context);

// offsets[a] += what all additive terms add to the exponent of π(a|b).
void add_offsets(const PolicyTerms& terms, const DecisionContext& context, std::span<double> offsets);

// The levels that occur: after a terminal action nothing is decided.
std::vector<int> used_levels(const Structure& structure, const PolicyTerm& term);

// Whether levels exclude each other (weights then sum to zero over levels).
bool levels_exclude(const PolicyTerms& terms, const PolicyTerm& term);

// A term of this kind without numbers: `value` everywhere. `steps`: levels of time.
PolicyTerm term_filled(const Structure& structure, const PolicyTerms& terms, TermKind kind, double value,
                       int covariate = -1, int steps = 0, int period = 0);

// "habit", "time", "missing", "age", …: what a study and a reader call it.
std::string term_name(const PolicyTerms& terms, const PolicyTerm& term);
// "after monitor", "at step 3", "result missing", "sex = female", "age".
std::string level_name(const Structure& structure, const PolicyTerms& terms, const PolicyTerm& term,
                       int level);

}  // namespace interpole::model
