// Latent states can be swapped without changing the likelihood. Here they get the study's names.
#pragma once

#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

// Every relabelling that leaves the study as it is (known values, priors and names' meaning); the identity
// first. Studies with more than kMostRelabelledStates states get the identity alone.
inline constexpr int kMostRelabelledStates = 6;
std::vector<std::vector<int>> allowed_relabellings(const DecisionProblem& problem);

struct LabelReport {
  bool by_hint = false;    // the study's hint decided
  bool fixed = false;      // known values leave one labelling only: nothing to decide
  bool ambiguous = false;  // the names cannot be trusted
  std::string sentence;    // what was done, for people
  std::vector<int> order;  // state s of the result was state order[s]; empty: left as they were
};

// Relabels the states, by what the data and the study offer, in this order:
//   recorded diagnoses (tree.diagnosis_counts): the relabelling under which they are believed most;
//   the study's hint: the hinted outcomes become likelier along its order;
//   nothing: the states stay as they are, and that is called ambiguous.
// Also ambiguous: a second relabelling does nearly as well, or the hinted order contradicts known values.
LabelReport align_labels(const HistoryTree& tree, const DecisionProblem& problem, Parameters& parameters);

// The order that align_labels would bring about, without doing it.
LabelReport find_labels(const HistoryTree& tree, const DecisionProblem& problem,
                        const Parameters& parameters);

}  // namespace interpole::learn
