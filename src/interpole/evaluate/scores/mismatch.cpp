#include "interpole/evaluate/scores/mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/decision_cells.hpp"

namespace interpole::evaluate {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Policies never reach zero, but their probabilities may be too small for a double: divergence from
// logarithms.
double divergence_of_logs(std::span<const double> log_p, std::span<const double> log_q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < log_p.size(); ++i) sum += std::exp(log_p[i]) * (log_p[i] - log_q[i]);
  return std::max(0.0, sum);
}

void require_equal_names(const char* what, const std::vector<std::string>& ours,
                         const std::vector<std::string>& theirs) {
  if (ours != theirs) {
    throw input_error(fmt::format(
        "the model and the truth differ in their {}: [{}] and [{}]; they must be the same, in the same "
        "order",
        what, fmt::join(ours, ", "), fmt::join(theirs, ", ")));
  }
}

}  // namespace

std::optional<double> kl_divergence(std::span<const double> p, std::span<const double> q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] <= 0.0) continue;
    if (q[i] <= 0.0) return std::nullopt;
    sum += p[i] * (std::log(p[i]) - std::log(q[i]));
  }
  return std::max(0.0, sum);  // rounding can leave −1e-17
}

NodeDivergences node_divergences(const HistoryTree& tree, const Model& truth,
                                 const inference::NodeBeliefs& truth_beliefs, const Model& fit,
                                 const inference::NodeBeliefs& fit_beliefs) {
  std::vector<double> log_truth(truth.structure.actions.size());
  std::vector<double> log_fit(log_truth.size());
  std::vector<double> true_kinds, fit_kinds;
  const auto true_contexts =
      inference::node_contexts(tree, truth.structure, truth.agent.policy, truth_beliefs, true_kinds);
  const auto fit_contexts =
      inference::node_contexts(tree, fit.structure, fit.agent.policy, fit_beliefs, fit_kinds);
  NodeDivergences result;
  for (int node = 0; node < tree.node_count(); ++node) {
    result.belief.push_back(kl_divergence(truth_beliefs.at(node), fit_beliefs.at(node)).value_or(kInfinite));
    log_action_probabilities(truth.structure, truth.agent.policy, truth_beliefs.at(node), true_contexts[node],
                             log_truth);
    log_action_probabilities(fit.structure, fit.agent.policy, fit_beliefs.at(node), fit_contexts[node],
                             log_fit);
    result.policy.push_back(divergence_of_logs(log_truth, log_fit));
  }
  return result;
}

NodeDivergences node_divergences(const HistoryTree& tree, const Model& truth,
                                 const inference::NodeBeliefs& truth_beliefs,
                                 const std::vector<double>& policies,
                                 const std::optional<std::vector<double>>& beliefs) {
  const std::size_t A = truth.structure.actions.size();
  const std::size_t S = truth.structure.states.size();
  std::vector<double> policy(A);
  std::vector<double> kinds;
  const auto contexts =
      inference::node_contexts(tree, truth.structure, truth.agent.policy, truth_beliefs, kinds);
  NodeDivergences result;
  for (int node = 0; node < tree.node_count(); ++node) {
    action_probabilities(truth.structure, truth.agent.policy, truth_beliefs.at(node), contexts[node], policy);
    result.policy.push_back(kl_divergence(policy, {&policies[node * A], A}).value_or(kInfinite));
    if (!beliefs) continue;
    result.belief.push_back(
        kl_divergence(truth_beliefs.at(node), {&(*beliefs)[node * S], S}).value_or(kInfinite));
  }
  return result;
}

Mismatch mismatch(const HistoryTree& counts, const NodeDivergences& divergences) {
  double belief_sum = 0.0;
  double policy_sum = 0.0;
  std::int64_t decisions = 0;
  Mismatch result;
  for (int node = 0; node < counts.node_count(); ++node) {
    const std::int64_t weight = counts.decisions_at(node);
    if (weight == 0) continue;
    decisions += weight;
    policy_sum += static_cast<double>(weight) * divergences.policy[node];
    if (divergences.belief.empty()) continue;
    if (std::isinf(divergences.belief[node])) result.infinite_beliefs += weight;
    belief_sum += static_cast<double>(weight) * divergences.belief[node];
  }
  if (decisions == 0) return result;
  const bool has_beliefs = !divergences.belief.empty();
  if (has_beliefs && std::isfinite(belief_sum)) result.belief = belief_sum / static_cast<double>(decisions);
  if (std::isfinite(policy_sum)) result.policy = policy_sum / static_cast<double>(decisions);
  return result;
}

Model aligned_to(const Structure& structure, const Model& model) {
  require_equal_names("actions", structure.actions, model.structure.actions);
  require_equal_names("observations", structure.observations, model.structure.observations);
  if (structure.states == model.structure.states) return model;
  std::vector<int> order;
  for (const std::string& state : structure.states) order.push_back(model.structure.find_state(state));
  if (structure.states.size() != model.structure.states.size() ||
      std::count(order.begin(), order.end(), -1) > 0) {
    throw input_error(fmt::format("the model and the truth name different states: [{}] and [{}]",
                                  fmt::join(structure.states, ", "),
                                  fmt::join(model.structure.states, ", ")));
  }
  return permute_states(model, order);
}

}  // namespace interpole::evaluate
