// The covariates by which records are told apart in a study, and how a column carries such a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/problem.hpp"

namespace interpole::data {

// Those that [policy] and [initial_belief] name: context, then group, then the others by which beliefs may
// start.
std::vector<std::string> named_covariates(const DecisionProblem& problem);

// "covariate_" and the name, with every byte that is no ASCII letter, digit or _ written as _x and two hex
// digits: warehouses differ in what else a column's name may hold.
std::string covariate_column(std::string_view name);
// The name again; none if the column carries no covariate.
std::optional<std::string> covariate_of_column(std::string_view column);

}  // namespace interpole::data
