// The tables [priors] and [labels] of a study. Internal.
#pragma once

#include "interpole/data/study/study_toml.hpp"
#include "interpole/priors.hpp"

namespace interpole::data {

Priors read_priors(const TomlValue& table, const Structure& structure);
LabelHint read_labels(const TomlValue& table, const Structure& structure);

}  // namespace interpole::data
