#include "interpole/service/evaluate/evaluate_task.hpp"

#include <optional>

#include "interpole/data/study_data.hpp"
#include "interpole/learners/registry/learner_file.hpp"
#include "interpole/model_file.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {

evaluate::Evaluation run_evaluate(const EvaluateRequest& request, Sink&) {
  request.options.validate();
  const learners::SavedLearner saved = learners::read_learner(request.model);
  std::optional<Model> truth;
  if (!request.truth.empty()) truth = read_model(request.truth);
  const Study study = study_of_model(request.study, request.model, saved.structure);
  const HistoryTree tree = data::read_tree(study, request.data);
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
