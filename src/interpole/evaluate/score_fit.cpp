#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/scores.hpp"

namespace interpole {

Scores score_fit(const FitResult& fit, std::span<const Record> records, const Model* truth) {
  const HistoryTree tree = tree_of_records(fit.model.structure, records, RecordClasses::kApart);
  evaluate::EvaluationOptions options;
  options.bootstrap.replicates = 0;
  const evaluate::Evaluation found = evaluate::evaluate_model(tree, fit.model, truth, options);
  if (found.impossible) {
    throw input_error(fmt::format("record {}, step {}: {} calls what followed impossible (probability 0)",
                                  found.impossible->record, found.impossible->step, found.impossible->whose));
  }
  Scores scores;
  scores.decisions = found.decisions;
  scores.log_likelihood_of_actions = found.log_likelihood.actions;
  scores.log_likelihood_of_outcomes = found.log_likelihood.observations;
  scores.log_loss = found.matching.log_loss;
  scores.brier = found.matching.brier;
  scores.auroc = found.matching.auroc;
  scores.auprc = found.matching.auprc;
  scores.calibration_error = found.matching.calibration_error;
  if (found.mismatch) {
    scores.belief_mismatch = found.mismatch->belief;
    scores.policy_mismatch = found.mismatch->policy;
  }
  return scores;
}

}  // namespace interpole
