#include "interpole/service/evaluate/evaluate_task.hpp"

#include <optional>

#include "interpole/data/joined_covariates.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/learners/registry/learner_file.hpp"
#include "interpole/model_file.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {

namespace {

// One list of covariates for the model and the truth, which is moved to it.
std::vector<PolicyCovariate> covariates_of_both(const Model* model, Model* truth, const Study& study,
                                                const DataFiles& data, Sink& sink) {
  std::vector<PolicyCovariate> covariates;
  if (model != nullptr) covariates = covariates_of(model->agent, study, data, sink);
  if (truth == nullptr) return covariates;
  PolicyTerms& terms = truth->agent.policy.terms;
  covariates = data::joined_covariates(std::move(covariates), data::followed_covariates(truth->agent));
  terms = data::terms_on(covariates, terms, truth->structure.action_count());
  auto& start = truth->agent.dynamics.start;
  start = data::start_on(covariates, start, truth->structure.state_count());
  if (truth->world) truth->world->start = start;
  return covariates;
}

}  // namespace

evaluate::Evaluation run_evaluate(const EvaluateRequest& request, Sink& sink) {
  request.options.validate();
  const learners::SavedLearner saved = learners::read_learner(request.model);
  std::optional<Model> truth;
  if (!request.truth.empty()) truth = read_model(request.truth);
  const Study study = study_of_model(request.study, request.model, saved.structure);
  const auto covariates =
      covariates_of_both(saved.learner->model(), truth ? &*truth : nullptr, study, request.data, sink);
  const HistoryTree tree = data::read_tree_in_context(study, request.data, covariates, RecordClasses::kApart);
  evaluate::Evaluation evaluation = evaluate::evaluate_learner(tree, saved.structure, *saved.learner,
                                                               truth ? &*truth : nullptr, request.options);
  if (evaluation.impossible) {
    throw impossible_outcome(study, request.data, tree, evaluation.impossible->node,
                             evaluation.impossible->whose,
                             "correct the table, or use a model that allows it");
  }
  return evaluation;
}

}  // namespace interpole::service
