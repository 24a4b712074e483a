#include "interpole/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/belief.hpp"

namespace interpole {
namespace {

// Two probabilities that differ by rounding alone count as equal.
constexpr double kSame = 1.0 + 1e-12;

}  // namespace

DecisionExplanation DecisionExplainer::explain(std::span<const double> belief, Step step,
                                               const DecisionContext& context) const {
  DecisionExplanation result;
  result.step = step;
  result.belief.assign(belief.begin(), belief.end());
  std::vector<double> logs(structure_.actions.size());
  log_action_probabilities(structure_, agent_.policy, belief, context, logs);
  if (!agent_.policy.other_kinds.empty()) {
    result.kinds = context.kinds.empty() ? agent_.policy.kind_shares()
                                         : std::vector<double>(context.kinds.begin(), context.kinds.end());
  }
  if (!agent_.policy.terms.none()) {
    result.by_belief = action_probabilities(structure_, agent_.policy, belief);
  }
  result.policy.resize(logs.size());
  std::transform(logs.begin(), logs.end(), result.policy.begin(), [](double x) { return std::exp(x); });
  result.region = static_cast<int>(std::max_element(logs.begin(), logs.end()) - logs.begin());
  result.probability = result.policy[step.action];
  result.surprise = std::max(0.0, -logs[step.action] / std::numbers::ln2);
  for (const double p : result.policy) {
    if (p <= result.probability * kSame) result.tail += p;
  }
  result.tail = std::min(result.tail, 1.0);
  result.boundary = nearest_boundary(structure_, agent_.policy, belief);
  if (!structure_.is_terminal(step.action)) {
    result.move = belief_move(structure_, factors_, agent_.dynamics, belief, step);
  }
  return result;
}

RecordExplanation explain_record(const Structure& structure, const OutcomeFactors& factors,
                                 const Parameters& agent, std::span<const Step> record,
                                 std::span<const double> covariates) {
  const DecisionExplainer explainer(structure, factors, agent);
  RecordExplanation result;
  std::vector<double> belief = start_belief(agent.dynamics, covariates);
  if (!agent.policy.other_kinds.empty()) result.kinds = agent.policy.kind_shares();
  for (std::size_t t = 0; t < record.size(); ++t) {
    DecisionContext context = context_after(record.first(t), covariates);
    context.kinds = result.kinds;
    result.decisions.push_back(explainer.explain(belief, record[t], context));
    if (!result.kinds.empty()) {
      kinds_after_decision(structure, agent.policy, belief, context, record[t].action, result.kinds);
    }
    const auto& move = result.decisions.back().move;
    if (!move) break;
    if (!(move->chance > 0.0)) {
      result.impossible = t;
      break;
    }
    belief = move->after;
  }
  return result;
}

}  // namespace interpole
