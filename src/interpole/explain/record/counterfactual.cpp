#include "interpole/counterfactual.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/record/measured_branches.hpp"
#include "interpole/explain/record/next_decision.hpp"

namespace interpole {
namespace {

OutcomeBranch branch_of(const Structure& structure, const Parameters& agent, std::span<const double> belief,
                        Step step, const DecisionContext& now) {
  OutcomeBranch branch;
  branch.observation = step.observation;
  branch.belief.resize(belief.size());
  const double chance = update_belief(structure, agent.dynamics, step, belief, branch.belief);
  branch.chance = step.observation == kMissing ? 1.0 : chance;
  if (!(chance > 0.0)) return branch;
  explain::decide_next(structure, agent.policy, belief, step.action, now, branch);
  return branch;
}

}  // namespace

double expected_information(const Structure& structure, const Dynamics& dynamics,
                            std::span<const double> belief, int action, int gap) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  std::vector<double> predicted(S);
  update_belief(structure, dynamics, {action, kMissing, gap}, belief, predicted);
  if (structure.measured()) {
    const auto factors = model::yielded_factors(structure, action);
    return explain::expected_information(model::outcome_chances(structure, dynamics, action, factors),
                                         predicted);
  }
  double bits = 0.0;
  for (int z = 0; z < structure.observation_count(); ++z) {
    if (!structure.can_yield(action, z)) continue;
    double chance = 0.0;
    for (std::size_t s = 0; s < S; ++s)
      chance += predicted[s] * dynamics.observation[(action * S + s) * Z + z];
    for (std::size_t s = 0; s < S; ++s) {
      const double likelihood = dynamics.observation[(action * S + s) * Z + z];
      const double weight = predicted[s] * likelihood;  // at most `chance`, whose inverse may be too large
      if (weight > 0.0) bits += weight * (std::log2(likelihood) - std::log2(chance));
    }
  }
  return std::max(0.0, bits);
}

ActionBranches action_branches(const Structure& structure, const Parameters& agent,
                               std::span<const double> belief, int action,
                               const std::optional<WorldView>& world, const DecisionContext& now, int gap) {
  ActionBranches result;
  result.action = action;
  if (structure.is_terminal(action)) return result;
  if (structure.measured()) {
    const auto factors = model::yielded_factors(structure, action);
    result =
        explain::measured_branches(structure, agent, belief, {action, kMissing, gap},
                                   model::outcome_chances(structure, agent.dynamics, action, factors), now);
    if (world) {
      result.information_world =
          expected_information(structure, *world->dynamics, world->belief, action, gap);
    }
    return result;
  }
  result.unseen = branch_of(structure, agent, belief, {action, kMissing, gap}, now);
  for (int z = 0; z < structure.observation_count(); ++z) {
    if (!structure.can_yield(action, z)) continue;
    OutcomeBranch branch = branch_of(structure, agent, belief, {action, z, gap}, now);
    if (!(branch.chance > 0.0)) continue;
    double change = 0.0;
    for (std::size_t a = 0; a < branch.policy.size(); ++a) {
      change += 0.5 * std::abs(branch.policy[a] - result.unseen.policy[a]);
    }
    result.expected_change += branch.chance * change;
    if (!result.outcomes.empty() && branch.next_action != result.outcomes[0].next_action)
      result.decides = true;
    result.outcomes.push_back(std::move(branch));
  }
  result.information = expected_information(structure, agent.dynamics, belief, action, gap);
  if (world)
    result.information_world = expected_information(structure, *world->dynamics, world->belief, action, gap);
  return result;
}

std::vector<FactorBranch> without_each_factor(const Structure& structure, const OutcomeFactors& factors,
                                              const Parameters& agent, std::span<const double> belief,
                                              Step step, const DecisionContext& now) {
  std::vector<FactorBranch> result;
  if (structure.is_terminal(step.action) || step.observation == kMissing) return result;
  const std::vector<int> measured = factors.measured_in(step);
  if (measured.size() < 2) return result;
  for (const int factor : measured) {
    const int unread[] = {factor};
    PartlyRead read = partly_read(structure, factors, agent.dynamics, belief, step, unread);
    if (read.belief.empty()) continue;
    FactorBranch without{factor, {step.observation, read.chance, std::move(read.belief), {}, 0}};
    explain::decide_next(structure, agent.policy, belief, step.action, now, without.branch);
    result.push_back(std::move(without));
  }
  return result;
}

std::vector<ActionBranches> counterfactuals(const Structure& structure, const Parameters& agent,
                                            std::span<const double> belief,
                                            const std::optional<WorldView>& world, const DecisionContext& now,
                                            int gap) {
  std::vector<ActionBranches> result;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.is_terminal(a)) continue;
    result.push_back(action_branches(structure, agent, belief, a, world, now, gap));
  }
  return result;
}

}  // namespace interpole
