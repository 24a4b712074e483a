// Learners that know next to nothing, and what it means if they foresee nearly as well as the best.
#pragma once

#include <string>
#include <vector>

#include "interpole/evaluate/cross_validation.hpp"

namespace interpole::evaluate {

inline constexpr double kNearlyAsGood = 0.01;  // of AUROC

// One sentence for each such learner within kNearlyAsGood of the best AUROC, the one that knows least first.
std::vector<std::string> floor_sentences(const CrossValidation& result);

}  // namespace interpole::evaluate
