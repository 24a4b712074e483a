// Scales row by row, when states change their names.
#pragma once

#include <vector>

#include "interpole/learn/uncertainty/scale_search.hpp"

namespace interpole::learn {

// State s of the result was state order[s]; as permute_states does with the numbers themselves.
void permute_rows(const DecisionProblem& problem, const std::vector<int>& order, std::vector<double>& rows);
void permute_rows(const DecisionProblem& problem, const std::vector<int>& order, ScaleChoice& choice);

// The same explanation with its states named as in another one, as far as the study leaves names open.
AgentWorld named_alike(const DecisionProblem& problem, const AgentWorld& explanation, const AgentWorld& like);

}  // namespace interpole::learn
