// The draft of a study that maps a table of the user's own. Internal.
#pragma once

#include <string>

#include "interpole/data/table_profile.hpp"
#include "interpole/service/study_guess.hpp"

namespace interpole {

std::string mapped_draft(const std::string& table, const TableProfile& profile, const StudyGuess& guess);

}  // namespace interpole
