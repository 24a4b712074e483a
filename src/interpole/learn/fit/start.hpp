// Where a restart begins: the study's starting values where it states them, a draw from the prior elsewhere.
#pragma once

#include "interpole/base/random.hpp"
#include "interpole/learn/posterior/study_space.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

// Probabilities: Dirichlet draws. Means: the stated ones plus noise, else by lot either normal around the
// centre of the simplex or each near a state of its own. η: the stated one, else the prior's mean.
Parameters draw_start(const DecisionProblem& problem, const StudySpace& space, base::RandomStream& random);

}  // namespace interpole::learn
