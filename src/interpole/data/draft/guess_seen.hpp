// What only the records can say about a draft: which of the factors tell decisions apart, and whether they
// were seen before or after.
#pragma once

#include <string>

#include "interpole/data/draft/study_guess.hpp"

namespace interpole::data {

// Reads the table as the draft so far says, and sets the guess's factors, their `seen` and `yielded_by`.
void guess_seen(const std::string& path, const ShapedTable& shaped, StudyGuess& guess);

}  // namespace interpole::data
