#include "interpole/evaluate/evaluation.hpp"

#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::evaluate {
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

double log_likelihood_of_observations(const HistoryTree& tree, const inference::NodeBeliefs& beliefs) {
  double sum = 0.0;
  for (int node = tree.root_count; node < tree.node_count(); ++node) {
    sum += static_cast<double>(tree.passes[node]) * std::log(beliefs.outcome_probability[node]);
  }
  return sum;
}

// Fills policies[node·A + a] on the way.
double log_likelihood_of_actions(const HistoryTree& tree, const Model& model,
                                 const inference::NodeBeliefs& beliefs, std::vector<double>& policies) {
  const std::size_t actions = model.structure.actions.size();
  std::vector<double> logs(actions);
  policies.resize(tree.parent.size() * actions);
  std::vector<double> kinds;
  const auto contexts = inference::node_contexts(tree, model.structure, model.agent.policy, beliefs, kinds);
  double sum = 0.0;
  for (int node = 0; node < tree.node_count(); ++node) {
    log_action_probabilities(model.structure, model.agent.policy, beliefs.at(node), contexts[node], logs);
    // Not exp(logs): these are, to the last bit, the probabilities shown elsewhere, so that ties are the
    // same.
    action_probabilities(model.structure, model.agent.policy, beliefs.at(node), contexts[node],
                         {&policies[node * actions], actions});
    const auto counts = tree.counts_at(node);
    for (std::size_t a = 0; a < actions; ++a) {
      if (counts[a] > 0) sum += static_cast<double>(counts[a]) * logs[a];
    }
  }
  return sum;
}

// The truth as the evaluated model names its states, with what it believes; the place in `impossible` if the
// data rule it out.
struct Truth {
  Model model;
  inference::NodeBeliefs beliefs;
};

std::optional<Truth> truth_at_nodes(const HistoryTree& tree, const Structure& structure, const Model& truth,
                                    std::optional<ImpossibleOutcome>& impossible) {
  if (truth.structure.timed() != structure.timed() ||
      (structure.timed() && truth.structure.time->unit != structure.time->unit)) {
    throw input_error(
        "the model and the truth differ in the time between visits; both have the same unit, or none");
  }
  Truth result{aligned_to(structure, truth), {}};
  result.model.structure.outcomes = structure.outcomes;  // in which the tree's were entered
  result.model.structure.gaps = structure.gaps;
  result.beliefs = inference::node_beliefs(tree, result.model.structure, result.model.agent.dynamics);
  if (!result.beliefs.impossible) return result;
  impossible = describe_impossible(tree, *result.beliefs.impossible, "the truth");
  return std::nullopt;
}

void score(const HistoryTree& tree, const Structure& structure, const std::vector<double>& policies,
           const NodeDivergences* divergences, const EvaluationOptions& options, const Sink& sink,
           Evaluation& result) {
  const MatchingScorer scorer(tree, structure, policies);
  result.matching = scorer.score(tree);
  if (divergences != nullptr) result.mismatch = mismatch(tree, *divergences);
  if (options.bootstrap.replicates == 0) return;
  result.intervals =
      bootstrap_intervals(tree, scorer, divergences, result.stopping_time ? &*result.stopping_time : nullptr,
                          options.bootstrap, sink);
}

// Σ n log π over all decisions, first ones included. nullopt: infinite.
std::optional<double> log_likelihood_of_actions(const HistoryTree& tree,
                                                const std::vector<double>& policies) {
  double sum = 0.0;
  for (std::size_t at = 0; at < policies.size(); ++at) {
    if (tree.action_counts[at] == 0) continue;
    if (!(policies[at] > 0.0)) return std::nullopt;
    sum += static_cast<double>(tree.action_counts[at]) * std::log(policies[at]);
  }
  return sum;
}

Evaluation begin_evaluation(const HistoryTree& tree, const EvaluationOptions& options) {
  options.validate();
  Evaluation result;
  result.patients = tree.records;
  result.decisions = tree.decisions;
  return result;
}

}  // namespace

Evaluation evaluate_model(const HistoryTree& tree, const Model& model, const Model* truth,
                          const EvaluationOptions& options, const Sink& sink) {
  Evaluation result = begin_evaluation(tree, options);
  const inference::NodeBeliefs agent = inference::node_beliefs(tree, model.structure, model.agent.dynamics);
  if (agent.impossible) {
    result.impossible = describe_impossible(tree, *agent.impossible, "the model");
    return result;
  }
  const inference::NodeBeliefs world =
      model.world ? inference::node_beliefs(tree, model.structure, *model.world) : inference::NodeBeliefs();
  if (world.impossible) {
    result.impossible = describe_impossible(tree, *world.impossible, "the model's world");
    return result;
  }
  std::optional<NodeDivergences> divergences;
  if (truth != nullptr) {
    const auto aligned = truth_at_nodes(tree, model.structure, *truth, result.impossible);
    if (!aligned) return result;
    divergences = node_divergences(tree, aligned->model, aligned->beliefs, model, agent);
    result.stopping_time = stopping_time_error(aligned->model, model, options.stopping_time);
  }
  std::vector<double> policies;
  const double actions = log_likelihood_of_actions(tree, model, agent, policies);
  const double observations = log_likelihood_of_observations(tree, model.world ? world : agent);
  result.log_likelihood = {actions, observations, actions + observations};
  score(tree, model.structure, policies, divergences ? &*divergences : nullptr, options, sink, result);
  return result;
}

Evaluation evaluate_learner(const HistoryTree& tree, const Structure& structure,
                            const learners::FittedLearner& learner, const Model* truth,
                            const EvaluationOptions& options, const Sink& sink) {
  if (learner.model() != nullptr) return evaluate_model(tree, *learner.model(), truth, options, sink);
  Evaluation result = begin_evaluation(tree, options);
  const std::vector<double> policies = learner.policies(tree);
  std::optional<NodeDivergences> divergences;
  if (truth != nullptr) {
    const auto aligned = truth_at_nodes(tree, structure, *truth, result.impossible);
    if (!aligned) return result;
    divergences = node_divergences(tree, aligned->model, aligned->beliefs, policies, learner.beliefs(tree));
    result.stopping_time = stopping_time_error(aligned->model, learner, options.stopping_time);
  }
  result.log_likelihood.actions = log_likelihood_of_actions(tree, policies);
  score(tree, structure, policies, divergences ? &*divergences : nullptr, options, sink, result);
  return result;
}

}  // namespace interpole::evaluate
