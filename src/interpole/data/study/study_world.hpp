// The table [world] of a study: what is known of the world apart from what is known of agent and world alike.
// Internal.
#pragma once

#include "interpole/data/study/study_toml.hpp"
#include "interpole/parameters.hpp"

namespace interpole::data {

// Whole rows: those that [world] states, and elsewhere those of [known], which must be complete.
Dynamics read_world(const TomlValue& table, const Structure& structure, const Dynamics& known);

}  // namespace interpole::data
