#include "interpole/service/explain/predictions_task.hpp"

#include <algorithm>

#include "interpole/base/stop.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/learners/registry/learner_file.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

// Rows of one record that stand at these nodes get the numbers of the nodes.
void put_numbers(std::span<const std::int32_t> path, const std::vector<double>& of_nodes, std::size_t width,
                 std::size_t first_row, std::vector<double>& rows) {
  for (std::size_t t = 0; t < path.size(); ++t) {
    std::copy_n(of_nodes.begin() + static_cast<std::ptrdiff_t>(path[t] * width), width,
                rows.begin() + static_cast<std::ptrdiff_t>((first_row + t) * width));
  }
}

}  // namespace

Predictions run_predictions(const PredictionsRequest& request, Sink& sink) {
  const learners::SavedLearner saved = learners::read_learner(request.model);
  const Study study = study_of_model(request.study, request.model, saved.structure);
  const Model* model = saved.learner->model();
  std::vector<PolicyCovariate> covariates;
  if (model != nullptr) covariates = covariates_of(model->agent, study, request.data, sink);
  Predictions found;
  found.structure = saved.structure;
  found.first_row.push_back(0);
  HistoryTreeBuilder builder(saved.structure.action_count(), true, RecordClasses::kApart);
  std::vector<std::vector<double>> contexts;  // [record]; empty: nothing is followed
  data::for_each_record_in_context(
      study, request.data, covariates,
      [&](const data::RecordView& record, std::span<const double> values) {
        base::stop_if_asked(sink);
        if (!values.empty()) {
          builder.set_covariates(values);
          contexts.emplace_back(values.begin(), values.end());
        }
        builder.add(record.steps);
        if (request.names) {
          found.patients.emplace_back(record.patient);
          found.visits.insert(found.visits.end(), record.visits.begin(), record.visits.end());
        }
        found.steps.insert(found.steps.end(), record.numbers.begin(), record.numbers.end());
        found.decisions.insert(found.decisions.end(), record.steps.begin(), record.steps.end());
        found.first_row.push_back(static_cast<std::int64_t>(found.decisions.size()));
      },
      data::RecordDetails::kVisits);
  const HistoryTree tree = builder.build();
  if (model != nullptr) {
    const auto beliefs = inference::node_beliefs(tree, model->structure, model->agent.dynamics);
    if (beliefs.impossible) {
      throw impossible_outcome(study, request.data, tree, *beliefs.impossible, "the model",
                               "correct the table, or use a model that allows it");
    }
  }
  const std::vector<double> policies = saved.learner->policies(tree);
  const std::vector<double> beliefs = saved.learner->beliefs(tree).value_or(std::vector<double>());
  const std::size_t actions = saved.structure.actions.size();
  const std::size_t states = saved.structure.states.size();
  found.policies.resize(found.decisions.size() * actions);
  if (!beliefs.empty()) found.beliefs.resize(found.decisions.size() * states);
  for (std::size_t record = 0; record + 1 < found.first_row.size(); ++record) {
    const auto first = static_cast<std::size_t>(found.first_row[record]);
    const auto last = static_cast<std::size_t>(found.first_row[record + 1]);
    const auto path = tree.path_of(std::span(found.decisions).subspan(first, last - first),
                                   contexts.empty() ? std::span<const double>() : contexts[record]);
    put_numbers(path, policies, actions, first, found.policies);
    if (!beliefs.empty()) put_numbers(path, beliefs, states, first, found.beliefs);
  }
  return found;
}

}  // namespace interpole::service
