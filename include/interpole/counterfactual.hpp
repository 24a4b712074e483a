// What could have happened at a visit: the belief after every outcome of every action, the belief after an
// action whose outcome nobody looked at, how much an action was expected to tell, and what it could have
// changed in the next decision.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interpole/trajectory.hpp"

namespace interpole {

struct OutcomeBranch {
  int observation = kMissing;  // kMissing: time passing alone
  double chance = 1.0;         // as the agent saw it before
  std::vector<double> belief;  // after it
  std::vector<double> policy;  // at the next decision
  int next_action = 0;         // the most likely one there
};

struct ActionBranches {
  int action = 0;
  OutcomeBranch unseen;                 // the action's outcome is not looked at ("not done")
  std::vector<OutcomeBranch> outcomes;  // every possible one
  double information = 0.0;             // mutual information of outcome and state, bits, in the agent's mind
  std::optional<double> information_world;  // the same by the world's dynamics
  bool decides = false;                     // outcomes differ in the most likely next action
  double expected_change = 0.0;             // ½ Σ_a |π(outcome) − π(unseen)|, averaged over outcomes
};

// `world`: the world's dynamics and what they say at the same history; none: not computed.
struct WorldView {
  const Dynamics* dynamics = nullptr;
  std::span<const double> belief;
};

// Of one action; a terminal one has no branches. Cost O(Z·(S² + A·S)).
// Next decisions are those of somebody who decides now in this context. `gap`: until the outcome is seen,
// where visits have times.
ActionBranches action_branches(const Structure& structure, const Parameters& agent,
                               std::span<const double> belief, int action,
                               const std::optional<WorldView>& world = {}, const DecisionContext& now = {},
                               int gap = kNoGap);

// Of all actions that are not terminal, in their order.
std::vector<ActionBranches> counterfactuals(const Structure& structure, const Parameters& agent,
                                            std::span<const double> belief,
                                            const std::optional<WorldView>& world = {},
                                            const DecisionContext& now = {}, int gap = kNoGap);

// The step as it was, but for one factor of its outcome that nobody read. One for each factor measured, if
// there are several and all was seen; the branch's observation is the whole outcome, its chance that of what
// was read.
struct FactorBranch {
  int factor = 0;
  OutcomeBranch branch;
};
std::vector<FactorBranch> without_each_factor(const Structure& structure, const OutcomeFactors& factors,
                                              const Parameters& agent, std::span<const double> belief,
                                              Step step, const DecisionContext& now = {});

// I(outcome; state) in bits for an action taken at a belief.
double expected_information(const Structure& structure, const Dynamics& dynamics,
                            std::span<const double> belief, int action, int gap = kNoGap);

}  // namespace interpole
