// What is done after an outcome: the second half of every branch of counterfactual.hpp.
#pragma once

#include "interpole/counterfactual.hpp"

namespace interpole::explain {

// Fills in policy and next action of a branch whose belief is there. `belief`: before the action; `now`: what
// it was decided in. Whether or not the result was looked at: that it is missing does not count here.
void decide_next(const Structure& structure, const Policy& policy, std::span<const double> belief, int action,
                 const DecisionContext& now, OutcomeBranch& branch);

}  // namespace interpole::explain
