#include "interpole/service/evaluate_task.hpp"

#include <optional>

#include "interpole/data/visits.hpp"
#include "interpole/model/model_file.hpp"
#include "interpole/service/impossible.hpp"

namespace interpole {

Evaluation run_evaluate(const EvaluateRequest& request, Sink&) {
  request.options.validate();
  const Model model = read_model(request.model);
  std::optional<Model> truth;
  if (!request.truth.empty()) truth = read_model(request.truth);
  const HistoryTree tree = read_history_tree(request.data, model.structure);
  Evaluation evaluation = evaluate_model(tree, model, truth ? &*truth : nullptr, request.options);
  if (evaluation.impossible) {
    throw impossible_outcome(request.data, model.structure, tree, evaluation.impossible->node,
                             evaluation.impossible->whose,
                             "correct the table, or use a model that allows it");
  }
  return evaluation;
}

}  // namespace interpole
