#include "interpole/evaluate/evaluation.hpp"

#include <cmath>

#include "interpole/evaluate/action_matching.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/belief.hpp"

namespace interpole {
namespace {

ImpossibleOutcome describe_impossible(const HistoryTree& tree, int node, const char* whose) {
  ImpossibleOutcome result;
  result.whose = whose;
  result.node = node;
  result.step = tree.depth[node];
  result.record = tree.first_record[node];
  for (const HistoryTree::Group& group : tree.groups) {
    if (node < group.begin || node >= group.end) continue;
    result.action = group.action;
    result.observation = group.observation;
  }
  return result;
}

double log_likelihood_of_observations(const HistoryTree& tree, const NodeBeliefs& beliefs) {
  double sum = 0.0;
  for (int node = 1; node < tree.node_count(); ++node) {
    sum += static_cast<double>(tree.passes[node]) * std::log(beliefs.outcome_probability[node]);
  }
  return sum;
}

// Fills policies[node·A + a] on the way.
double log_likelihood_of_actions(const HistoryTree& tree, const Model& model, const NodeBeliefs& beliefs,
                                 std::vector<double>& policies) {
  const std::size_t actions = model.structure.actions.size();
  std::vector<double> logs(actions);
  policies.resize(tree.parent.size() * actions);
  double sum = 0.0;
  for (int node = 0; node < tree.node_count(); ++node) {
    log_action_probabilities(model.structure, model.agent.policy, beliefs.at(node), logs);
    // Not exp(logs): these are, to the last bit, the probabilities shown elsewhere, so that ties are the
    // same.
    action_probabilities(model.structure, model.agent.policy, beliefs.at(node),
                         {&policies[node * actions], actions});
    const auto counts = tree.counts_at(node);
    for (std::size_t a = 0; a < actions; ++a) {
      if (counts[a] > 0) sum += static_cast<double>(counts[a]) * logs[a];
    }
  }
  return sum;
}

void compare_with_truth(const HistoryTree& tree, const Model& model, const NodeBeliefs& beliefs,
                        const Model& truth, const EvaluationOptions& options, Evaluation& result) {
  const Model aligned = aligned_to(model.structure, truth);
  const NodeBeliefs truth_beliefs = node_beliefs(tree, aligned.structure, aligned.agent.dynamics);
  if (truth_beliefs.impossible) {
    result.impossible = describe_impossible(tree, *truth_beliefs.impossible, "the truth");
    return;
  }
  result.mismatch = mismatch(tree, aligned, truth_beliefs, model, beliefs);
  result.stopping_time = stopping_time_error(aligned, model, options.stopping_time);
}

}  // namespace

Evaluation evaluate_model(const HistoryTree& tree, const Model& model, const Model* truth,
                          const EvaluationOptions& options) {
  options.validate();
  Evaluation result;
  result.patients = tree.records;
  result.decisions = tree.decisions;

  const NodeBeliefs agent = node_beliefs(tree, model.structure, model.agent.dynamics);
  if (agent.impossible) {
    result.impossible = describe_impossible(tree, *agent.impossible, "the model");
    return result;
  }
  const NodeBeliefs world = model.world ? node_beliefs(tree, model.structure, *model.world) : NodeBeliefs();
  if (world.impossible) {
    result.impossible = describe_impossible(tree, *world.impossible, "the model's world");
    return result;
  }
  if (truth != nullptr) {
    compare_with_truth(tree, model, agent, *truth, options, result);
    if (result.impossible) return result;
  }
  std::vector<double> policies;
  DataLogLikelihood& sums = result.log_likelihood;
  sums.actions = log_likelihood_of_actions(tree, model, agent, policies);
  sums.observations = log_likelihood_of_observations(tree, model.world ? world : agent);
  sums.total = sums.actions + sums.observations;
  result.matching = match_actions(tree, model.structure, policies);
  return result;
}

}  // namespace interpole
