#include "interpole/service/fit_task.hpp"

#include "interpole/data/study_data.hpp"
#include "interpole/model/model_file.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/summary_json.hpp"

namespace interpole {

FitOutcome run_fit(const FitRequest& request, Sink& sink) {
  request.options.validate();
  const Study study = read_study(request.study);
  const HistoryTree tree = read_tree(study, request.data);
  FitOutcome outcome;
  outcome.patients = tree.records;
  outcome.decisions = tree.decisions;
  outcome.histories = tree.node_count();
  outcome.summary = fit(tree, study, request.options, sink);
  const FitSummary& summary = outcome.summary;
  if (summary.impossible_node) {
    throw impossible_outcome(study, request.data, tree, *summary.impossible_node, "the study's known values",
                             "correct the table, or free the zero under [known] in the study");
  }
  if (!summary.converged()) sink.warn("the best restart did not converge: " + describe(summary.best().stop));
  if (summary.labels.ambiguous) sink.warn("state names: " + summary.labels.sentence);
  if (!summary.policy.sentence.empty()) sink.warn(summary.policy.sentence);
  outcome.model = {study.structure, summary.parameters, summary.world};
  write_model(request.output, outcome.model, model_extras(request, study, outcome));
  return outcome;
}

}  // namespace interpole
