#include "interpole/explain/record/measured_branches.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/record/next_decision.hpp"

namespace interpole::explain {

double expected_information(const model::OutcomeChances& chances, std::span<const double> predicted) {
  double bits = 0.0;
  chances.each(predicted, [&](double share, std::span<const double> weights, int state) {
    double chance = 0.0;
    for (std::size_t s = 0; s < weights.size(); ++s) chance += predicted[s] * weights[s];
    if (weights[state] > 0.0 && chance > 0.0) bits += share * (std::log2(weights[state]) - std::log2(chance));
  });
  return std::max(0.0, bits);
}

ActionBranches measured_branches(const Structure& structure, const Parameters& agent,
                                 std::span<const double> belief, Step step,
                                 const model::OutcomeChances& chances, const DecisionContext& now) {
  ActionBranches result;
  result.action = step.action;
  result.unseen.belief.resize(belief.size());
  update_belief(structure, agent.dynamics, {step.action, kMissing, step.gap}, belief, result.unseen.belief);
  decide_next(structure, agent.policy, belief, step.action, now, result.unseen);
  const std::vector<double>& predicted = result.unseen.belief;
  std::vector<double> leading_to(structure.actions.size(), 0.0);
  OutcomeBranch branch;
  branch.belief.resize(belief.size());
  chances.each(predicted, [&](double share, std::span<const double> weights, int) {
    double total = 0.0;
    for (std::size_t s = 0; s < weights.size(); ++s) total += branch.belief[s] = predicted[s] * weights[s];
    if (!(total > 0.0)) return;
    for (double& b : branch.belief) b /= total;
    decide_next(structure, agent.policy, belief, step.action, now, branch);
    leading_to[branch.next_action] += share;
    for (std::size_t a = 0; a < branch.policy.size(); ++a) {
      result.expected_change += share * 0.5 * std::abs(branch.policy[a] - result.unseen.policy[a]);
    }
  });
  double all = 0.0;
  for (const double share : leading_to) all += share;
  result.decides = all - *std::max_element(leading_to.begin(), leading_to.end()) > kSeldom;
  result.information = expected_information(chances, predicted);
  return result;
}

}  // namespace interpole::explain
