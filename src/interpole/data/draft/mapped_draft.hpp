// The draft of a study that maps a table of the user's own. Internal.
#pragma once

#include <string>

#include "interpole/data/draft/study_guess.hpp"
#include "interpole/data/draft/table_profile.hpp"

namespace interpole::data {

// kLevels: numbers cut at quantiles, visits as steps, in which readings are compared. kMeasured: numbers as
// they were measured, and visits when they were (guess_measured).
enum class DraftForm { kLevels, kMeasured };
std::string mapped_draft(const std::string& path, const ShapedTable& shaped, const StudyGuess& guess,
                         DraftForm form);

// What was understood of a table that no study could be guessed from, and the questions that remain; `why`
// says where it ended. TOML that is no complete study.
std::string open_questions(const std::string& path, const ShapedTable& shaped, const std::string& why);

}  // namespace interpole::data
