// The draft of a study that maps a table of the user's own. Internal.
#pragma once

#include <string>

#include "interpole/data/draft/study_guess.hpp"
#include "interpole/data/draft/table_profile.hpp"

namespace interpole::data {

std::string mapped_draft(const std::string& table, const TableProfile& profile, const StudyGuess& guess);

}  // namespace interpole::data
