// The action-matching part of an evaluation.
#pragma once

#include "interpole/evaluate/evaluation.hpp"

namespace interpole {

// `policies` is [node·A + a], the predicted probabilities. The root, where first decisions are taken, is left
// out.
ActionMatching match_actions(const HistoryTree& tree, const Structure& structure,
                             const std::vector<double>& policies);

}  // namespace interpole
