// What a study of version 2 says of measured factors: [[factors]] that are independent given the state, and
// the parts of [known], [start], [priors] and [labels] that are about them. Internal.
#pragma once

#include <vector>

#include "interpole/data/study/study_toml.hpp"
#include "interpole/priors.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

// The factors as the model has them; `mapped` are the same as their tables are read.
std::vector<MeasuredFactor> measured_factors(const TomlValue& list, const std::vector<Factor>& mapped);

// Degrees of freedom that [[factors]] states, in [known] or [start] values of all states and actions.
void read_stated_degrees(const TomlValue& list, const Structure& structure, Dynamics& known);

// [known.factors] and [start.factors]: a table for each factor, with its parameters, for all states or one
// number for each ("?": not stated).
void read_factor_values(const TomlValue& table, const Structure& structure, Dynamics& values);

// [priors.factors]: a table for each factor, with its parameters: { at = … by state …, sd = … }.
void read_factor_priors(const TomlValue& table, const Structure& structure, Priors& priors);

// [labels] factor, (level,) order: the factor that rises along the order of states.
LabelHint read_measured_labels(const TomlValue& table, const Structure& structure);

}  // namespace interpole::data
