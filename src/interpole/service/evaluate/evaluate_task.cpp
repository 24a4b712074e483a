#include "interpole/service/evaluate/evaluate_task.hpp"

#include <fmt/format.h>

#include <optional>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/csv.hpp"
#include "interpole/data/joined_covariates.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/learners/registry/learner_file.hpp"
#include "interpole/model_file.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/rare_records.hpp"
#include "interpole/service/run_files.hpp"

namespace interpole::service {

namespace {

// One list of covariates for the model and the truth, which is moved to it.
std::vector<PolicyCovariate> covariates_of_both(const learners::FittedLearner& learner, Model* truth,
                                                const Study& study, const DataFiles& data, Sink& sink) {
  const Model* model = learner.model();
  // Of other learners the covariates come first, in their order: so they expect them of a tree.
  std::vector<PolicyCovariate> covariates = model != nullptr
                                                ? covariates_of(model->agent, study, data, sink)
                                                : covariates_of(learner.covariates(), study, data, sink);
  if (truth == nullptr) return covariates;
  PolicyTerms& terms = truth->agent.policy.terms;
  covariates = data::joined_covariates(std::move(covariates), data::followed_covariates(truth->agent));
  terms = data::terms_on(covariates, terms, truth->structure.action_count());
  auto& start = truth->agent.dynamics.start;
  start = data::start_on(covariates, start, truth->structure.state_count());
  if (truth->world) truth->world->start = start;
  return covariates;
}

void write_visit_columns(const std::string& path, const Study& study, const DataFiles& data,
                         const std::vector<PolicyCovariate>& covariates, const HistoryTree& tree,
                         const learners::FittedLearner& learner) {
  const auto policies = learner.policies(tree);
  const learners::VisitColumns columns = learner.visit_columns(tree);
  const std::size_t A = study.structure.actions.size();
  const std::size_t K = columns.names.size();
  base::AtomicFile file(path, base::NewFile::kPrivate);
  std::string text = "patient,step";
  for (const std::string& name : study.structure.actions)
    text += "," + base::shown_csv_cell("policy:" + name);
  for (const std::string& name : columns.names) text += "," + base::shown_csv_cell(name);
  text += "\n";
  file.write(text);
  data::for_each_record_in_context(
      study, data, covariates, [&](const data::RecordView& record, std::span<const double> values) {
        const auto path_of_record = tree.path_of(record.steps, values);
        text.clear();
        for (std::size_t t = 0; t < path_of_record.size(); ++t) {
          const auto node = static_cast<std::size_t>(path_of_record[t]);
          text += fmt::format("{},{}", base::shown_csv_cell(std::string(record.patient)), record.numbers[t]);
          for (std::size_t a = 0; a < A; ++a) text += fmt::format(",{}", policies[node * A + a]);
          for (std::size_t k = 0; k < K; ++k) text += fmt::format(",{}", columns.values[node * K + k]);
          text += "\n";
        }
        file.write(text);
      });
  file.commit();
}

}  // namespace

evaluate::Evaluation run_evaluate(const EvaluateRequest& request, Sink& sink) {
  request.options.validate();
  require_separate_files({{"option visits", request.visits}}, with_data({{"option model", request.model},
                                                                         {"option study", request.study},
                                                                         {"option truth", request.truth}},
                                                                        request.data));
  if (request.data.counts && !request.visits.empty()) {
    throw usage_error("option visits: counts have no patients whose visits could be listed; leave it out");
  }
  const learners::SavedLearner saved = learners::read_learner(request.model);
  std::optional<Model> truth;
  if (!request.truth.empty()) truth = read_model(request.truth);
  const Study study = study_of_model(request.study, request.model, saved.structure);
  warn_of_rare_records(study, request.data, sink);
  const auto covariates =
      covariates_of_both(*saved.learner, truth ? &*truth : nullptr, study, request.data, sink);
  const HistoryTree tree = data::read_tree_in_context(study, request.data, covariates, RecordClasses::kApart);
  evaluate::Evaluation evaluation = evaluate::evaluate_learner(
      tree, saved.structure, *saved.learner, truth ? &*truth : nullptr, request.options, sink);
  if (evaluation.impossible) {
    throw impossible_outcome(study, request.data, tree, evaluation.impossible->node,
                             evaluation.impossible->whose,
                             "correct the table, or use a model that allows it");
  }
  if (!request.visits.empty())
    write_visit_columns(request.visits, study, request.data, covariates, tree, *saved.learner);
  return evaluation;
}

}  // namespace interpole::service
