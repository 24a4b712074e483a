// The explanation of a decision as one sentence in plain words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/estimate.hpp"
#include "interpole/trajectory.hpp"

namespace interpole::explain {

// How sure the belief before a decision is, and how likely each action.
struct DecisionIntervals {
  std::vector<Estimate> belief;  // [state]
  std::vector<Estimate> policy;  // [action]
};

// One for each decision. The first says what is believed at first; the others what the last outcome changed.
// Then what was likely, and what was done. With intervals, of each decision, they stand behind their numbers:
// "64% [58, 70]".
std::vector<std::string> decision_sentences(const Structure& structure, const OutcomeFactors& factors,
                                            const RecordExplanation& record,
                                            std::span<const DecisionIntervals> intervals = {});

}  // namespace interpole::explain
