// The tables [known] and [start] of a study: numbers for any part of a model, whole or element by element.
// Internal.
#pragma once

#include "interpole/data/study/study_toml.hpp"
#include "interpole/parameters.hpp"

namespace interpole::data {

// What the structure alone says: outcomes an action cannot yield have probability 0, a terminal action
// changes nothing. Everything else is NaN.
Parameters known_from_structure(const Structure& structure);

// Adds what [known] states.
void read_known(const TomlValue& table, const Structure& structure, Parameters& known);

// A row sums to one, so where a single element is not known it is determined after all: fills these in.
void complete_known(const Structure& structure, Parameters& known);

// What [start] states; NaN elsewhere. `known` must be complete: a start may not contradict it.
Parameters read_start(const TomlValue& table, const Structure& structure, const Parameters& known);

}  // namespace interpole::data
