// What is stated of the world alone, asked of one set of dynamics.
#pragma once

#include "interpole/problem.hpp"

namespace interpole::learn {

// Throws an input error that names the row and the remedy if the problem states a row of the world that is
// not known of the agent too: with one set of dynamics the agent's would follow it, and nobody said so.
void require_known_of_both(const DecisionProblem& problem);

}  // namespace interpole::learn
