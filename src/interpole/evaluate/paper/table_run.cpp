#include "interpole/evaluate/paper/table_run.hpp"

#include <fmt/format.h>

#include "interpole/base/dealing/processor_time.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/evaluate/stop_only.hpp"
#include "interpole/learn/fit/nothing_finite.hpp"
#include "interpole/learners/learner_options.hpp"

namespace interpole::evaluate {
namespace {

std::vector<std::optional<double>> scores_against_truth(const learners::FittedLearner& fitted,
                                                        const HistoryTree& test,
                                                        const DecisionProblem& problem, const Model& truth,
                                                        std::uint64_t seed) {
  EvaluationOptions options;
  options.stopping_time.patients = kTestPatients;
  options.stopping_time.seed = seed;
  const Evaluation evaluation = evaluate_learner(test, problem.structure, fitted, &truth, options);
  if (evaluation.impossible) {
    throw input_error(fmt::format("step {} of fresh patient {}: {} calls \"{}\" after \"{}\" impossible",
                                  evaluation.impossible->step, evaluation.impossible->record + 1,
                                  evaluation.impossible->whose,
                                  problem.structure.outcome_name(evaluation.impossible->observation),
                                  problem.structure.actions[evaluation.impossible->action]));
  }
  return {evaluation.mismatch->belief, evaluation.mismatch->policy, evaluation.stopping_time->independent,
          evaluation.stopping_time->common};
}

std::vector<std::optional<double>> scores_of_action(const learners::FittedLearner& fitted,
                                                    const HistoryTree& test, const DecisionProblem& problem,
                                                    int action) {
  const ActionScores scores =
      score_actions(test, problem.structure, fitted.policies(test)).actions[static_cast<std::size_t>(action)];
  return {scores.brier, scores.auroc, scores.auprc};
}

}  // namespace

TableRun run_table_row(const PaperTable& table, const TableRow& row, const TableDataset& dataset, int part,
                       const DecisionProblem& problem, const Model* truth, int scored, Sink& sink) {
  const auto at = static_cast<std::size_t>(part);
  StopOnly stop_only(sink);
  TableRun run;
  try {
    const double begin = base::thread_seconds();
    const auto fitted =
        row.learner->fit(dataset.train[at], problem, {dataset.seed, 1, row.options}, stop_only);
    if (fitted->interrupted()) throw learners::interrupted_learner(row.name);
    run.seconds = base::thread_seconds() - begin;
    run.converged = fitted->converged();
    run.fit_note = fitted->fit_note();
    run.scores = table.against_truth
                     ? scores_against_truth(*fitted, dataset.test[at], problem, *truth, dataset.seed)
                     : scores_of_action(*fitted, dataset.test[at], problem, scored);
  } catch (const learn::NothingFinite&) {
    throw;  // the problem's fault, not the learner's
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    run.failure = error.what();
    run.converged = false;
    run.scores.assign(table.scores.size(), std::nullopt);
  }
  return run;
}

}  // namespace interpole::evaluate
