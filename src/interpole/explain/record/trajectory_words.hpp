// The explanation of a decision as one sentence in plain words.
#pragma once

#include <string>
#include <vector>

#include "interpole/trajectory.hpp"

namespace interpole::explain {

// One for each decision. The first says what is believed at first; the others what the last outcome changed.
// Then what was likely, and what was done.
std::vector<std::string> decision_sentences(const Structure& structure, const OutcomeFactors& factors,
                                            const RecordExplanation& record);

}  // namespace interpole::explain
