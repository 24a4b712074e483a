// Is one policy enough for all decision-makers, and if not, along which line do they differ? Along a record
// the scores ∂ log π/∂φ of its decisions (φ: η and means) owe nothing to one another if all records follow
// one policy: the square of their sum is then, on average, the sum of their variances. Where decision-makers
// are of several kinds, the scores of a record lean the same way and squares are larger, most along the line
// from one kind to the other (docs/mathematics/kinds.md).
#pragma once

#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

struct KindSplit {
  // Of the coordinates of η and the means. Its length is such that a record tells one end from the other by
  // about one nat.
  std::vector<double> direction;
  double deviation = 0.0;  // of the squares from what chance gives, in standard errors
};

// Below this a search for kinds is not worth its time: chance gets there in a few sets of a hundred.
inline constexpr double kLeastDeviation = 2.5;

// The lines along which records differ most, the strongest first; none if η and means are known. `at`: a mode
// with one kind.
std::vector<KindSplit> kind_splits(const HistoryTree& tree, const DecisionProblem& problem,
                                   const Parameters& at);

}  // namespace interpole::learn
