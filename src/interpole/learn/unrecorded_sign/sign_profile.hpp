// The evidence that agent and world are one and those who decide see a sign that was not recorded, by how
// often the sign is right (docs/mathematics/hidden-information.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

struct SignProfile {
  struct Point {
    double right = 0.0;      // probability that the sign points at the patient's state
    double log_ratio = 0.0;  // log evidence with the sign over the best without one; −∞: no proper peak
  };
  // The first sign says nothing (1/S), the last is right in 95 of 100 cases, unless the evidence fell so far
  // before that stronger ones were not asked about.
  std::vector<Point> points;
  std::string not_weighed;  // why there are none

  // Of the highest evidence.
  Point best() const;
  // The least informative sign whose log ratio is at least `enough`, between points by a straight line; none:
  // no such sign.
  std::optional<double> least_right(double enough) const;
  // Average of the evidence ratios over all strengths of a sign that were asked about. If there is no sign, a
  // number above 1/p has a chance below p.
  double log_mean_ratio() const;
};

struct SignSearch {
  int threads = 1;             // 0: all cores. Changes how fast, never what
  double most_numbers = 5e7;   // doubles held at a time, for each of up to three searches; more: not weighed
  std::function<bool()> stop;  // may be empty
};

// `problem`: with the terms and kinds that were taken, which are weighed without a sign. With one, decisions
// follow belief alone or the same terms (but for those of covariates where records with different ones are
// together in the tree), are those of one kind, and the sign is seen with every result or before the first
// decision too; the best counts. `starts`: near explanations with one set of dynamics.
SignProfile weigh_sign(const HistoryTree& tree, const DecisionProblem& problem,
                       const std::vector<Parameters>& starts, const SignSearch& search);

}  // namespace interpole::learn
