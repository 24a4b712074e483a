#include "interpole/learners/interpole/fitted_model.hpp"

#include <fmt/format.h>

#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model_file.hpp"

namespace interpole::learners {
namespace {

inference::NodeBeliefs possible_beliefs(const HistoryTree& tree, const Model& model) {
  inference::NodeBeliefs beliefs = inference::node_beliefs(tree, model.structure, model.agent.dynamics);
  if (!beliefs.impossible) return beliefs;
  const int node = *beliefs.impossible;
  for (const HistoryTree::Group& group : tree.groups) {
    if (node < group.begin || node >= group.end) continue;
    throw input_error(fmt::format(
        "step {}: outcome \"{}\" of \"{}\" has probability zero under the model", tree.depth[node],
        group.observation == kMissing ? "(missing)" : model.structure.outcome_name(group.observation).c_str(),
        model.structure.actions[group.action]));
  }
  return beliefs;
}

}  // namespace

FittedModel::FittedModel(Model model, std::string fit_note, bool converged)
    : model_(std::move(model)), fit_note_(std::move(fit_note)), converged_(converged) {}

std::vector<double> FittedModel::policies(const HistoryTree& tree) const {
  const inference::NodeBeliefs beliefs = possible_beliefs(tree, model_);
  const std::size_t actions = model_.structure.actions.size();
  std::vector<double> kinds;
  const auto contexts = inference::node_contexts(tree, model_.structure, model_.agent.policy, beliefs, kinds);
  std::vector<double> result(tree.parent.size() * actions);
  for (int node = 0; node < tree.node_count(); ++node) {
    action_probabilities(model_.structure, model_.agent.policy, beliefs.at(node), contexts[node],
                         {&result[node * actions], actions});
  }
  return result;
}

std::optional<std::vector<double>> FittedModel::beliefs(const HistoryTree& tree) const {
  return possible_beliefs(tree, model_).beliefs;
}

std::unique_ptr<FittedLearner> load_fitted_model(const std::string& text, const Structure& structure,
                                                 const std::string& where) {
  Model model = parse_model(text, where);
  if (model.structure != structure) {
    throw input_error(fmt::format(
        "{}: the model's states, actions or outcomes are not those of the study; fit it again", where));
  }
  return std::make_unique<FittedModel>(std::move(model), "read from " + where, true);
}

}  // namespace interpole::learners
