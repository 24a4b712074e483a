// Chains may name latent states differently, and a chain may change its mind half-way. Before draws are
// pooled they are brought to one naming: that under which their beliefs are closest to a reference.
#pragma once

#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/learn/draws/sampled_chain.hpp"

namespace interpole::learn {

// Each chain as a whole first (by its mean beliefs), then draw by draw. Only relabellings that leave the
// study as it is are used (labels.hpp), so draws stay draws of the same posterior. Says in the chains what it
// did.
void align_draws(const HistoryTree& tree, const DecisionProblem& problem, const Parameters& reference,
                 std::vector<SampledChain>& chains);

}  // namespace interpole::learn
