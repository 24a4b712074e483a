// The tables [policy], [initial_belief] and [ties] of a study: what decisions may follow beside beliefs, by
// what starting beliefs may differ, and what does not depend on what was done. Internal.
#pragma once

#include "interpole/data/study/study_toml.hpp"
#include "interpole/problem.hpp"

namespace interpole::data {

// Whether the covariates named are columns is found out where tables are read.
PolicyRequest read_policy_request(const TomlValue& table);

// The table [initial_belief].
StartRequest read_start_request(const TomlValue& table);

// The table [ties]. Refuses ties between actions that know or can yield different things.
Ties read_ties(const TomlValue& table, const DecisionProblem& problem);

}  // namespace interpole::data
