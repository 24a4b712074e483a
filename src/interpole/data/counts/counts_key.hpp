// For which study a table of counts was made. Its codes are numbers: read with another study they would mean
// something else without anybody noticing, so every row carries this key.
#pragma once

#include <string>

#include "interpole/study.hpp"

namespace interpole::data {

// Of the names and masks of actions and outcomes, and after a dash, for a study that maps tables, of all that
// decides what a row becomes. A change of priors or known values leaves it as it is.
std::string counts_key(const Study& study);

}  // namespace interpole::data
