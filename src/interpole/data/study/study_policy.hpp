// The table [policy] of a study: what decisions may follow beside beliefs. Internal.
#pragma once

#include "interpole/data/study/study_toml.hpp"
#include "interpole/priors.hpp"

namespace interpole::data {

// Whether the covariates named are columns is found out where tables are read.
PolicyRequest read_policy_request(const TomlValue& table);

}  // namespace interpole::data
