#include "interpole/explain/record/next_decision.hpp"

#include "interpole/belief.hpp"
#include "interpole/boundary.hpp"

namespace interpole::explain {

void decide_next(const Structure& structure, const Policy& policy, std::span<const double> belief, int action,
                 const DecisionContext& now, OutcomeBranch& branch) {
  DecisionContext next{action, now.step + 1, false, now.covariates};
  std::vector<double> kinds;
  if (!policy.other_kinds.empty()) {
    kinds.resize(policy.kind_count());
    kinds_after_decision(structure, policy, belief, now, action, kinds);
    next.kinds = kinds;
  }
  branch.policy = action_probabilities(structure, policy, branch.belief, next);
  branch.next_action = most_likely_action(structure, policy, branch.belief, next);
}

}  // namespace interpole::explain
