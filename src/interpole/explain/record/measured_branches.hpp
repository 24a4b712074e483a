// What a measurement was expected to tell and to change: integrals over the outcomes it could have had
// (model/measured/outcome_points.hpp), where listed outcomes have a branch each.
#pragma once

#include "interpole/counterfactual.hpp"
#include "interpole/model/measured/outcome_points.hpp"

namespace interpole::explain {

// Numbers always could come that would change anything. What comes in at most this share of cases is left
// aside.
inline constexpr double kSeldom = 0.05;

// I(outcome; state) in bits at a belief that has moved with time already.
double expected_information(const model::OutcomeChances& chances, std::span<const double> predicted);

// Of an action that is not terminal, with its gap if visits have times; what the step yielded is not looked
// at. It has no branch for each outcome; it `decides` if the likeliest next
// action is another one than most outcomes lead to with more than a seldom share of them. Cost O(S·points·(S
// + A·S)).
ActionBranches measured_branches(const Structure& structure, const Parameters& agent,
                                 std::span<const double> belief, Step step,
                                 const model::OutcomeChances& chances, const DecisionContext& now);

}  // namespace interpole::explain
