// The unit in which the parameters of a measured factor are learned: where its values lie and how far they
// are spread, unless the study says so.
#pragma once

#include "interpole/history_tree.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

// The problem with a centre and a scale for every factor: the mean and the standard deviation of its values
// in the data; of their logarithm for those that are positive (MeasuredFactor).
DecisionProblem with_factor_units(DecisionProblem problem, const HistoryTree& tree);

// The problem with a typical gap, in which rates are measured (VisitTime::typical): the median of the data's
// gaps. What the problem knows of rates, and starts from, is stated anew in it.
DecisionProblem with_typical_gap(DecisionProblem problem, const HistoryTree& tree);

}  // namespace interpole::learn
