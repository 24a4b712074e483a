// The evidence that agent and world are one and those who decide see a sign that was not recorded, by how
// often the sign is right (docs/mathematics/hidden-information.md).
#pragma once

#include <functional>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/model_checks.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

struct SignSearch {
  int threads = 1;             // 0: all cores. Changes how fast, never what
  double most_numbers = 5e7;   // doubles held at a time, for each of up to three searches; more: not weighed
  std::function<bool()> stop;  // may be empty
};

// `problem`: with the terms and kinds that were taken, which are weighed without a sign. With one, decisions
// follow belief alone or the same terms (where records with different covariates are together in the tree,
// what terms of covariates gain without a sign is added to what the others gain with one), are those of one
// kind, and the sign is seen with every result or before the first decision too; the best counts. `starts`:
// near explanations with one set of dynamics.
SignProfile weigh_sign(const HistoryTree& tree, const DecisionProblem& problem,
                       const std::vector<Parameters>& starts, const SignSearch& search);

}  // namespace interpole::learn
