#include "interpole/evaluate/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/scores/action_matching.hpp"
#include "interpole/evaluate/scores/first_steps.hpp"
#include "interpole/evaluate/stop_only.hpp"
#include "interpole/learn/fit/nothing_finite.hpp"

namespace interpole::evaluate {
namespace {

FoldScores score_fold(const HistoryTree& train, const HistoryTree& test, const DecisionProblem& problem,
                      const learners::Learner& learner, const CrossValidationOptions& options, Sink& sink,
                      FoldPolicies& predicted) {
  FoldScores scores;
  const auto begin = std::chrono::steady_clock::now();
  const auto fitted = learner.fit(train, problem, {options.seed, options.threads, {}}, sink);
  scores.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (fitted->interrupted()) throw Error(ErrorKind::kInterrupted, "stopped");
  scores.doubt = fitted->doubt();
  predicted.policies.push_back(fitted->policies(test));
  const ActionMatching matching = score_actions(test, problem.structure, predicted.policies.back());
  scores.log_loss = matching.log_loss;
  scores.brier = matching.brier;
  scores.auroc = matching.auroc;
  scores.auprc = matching.auprc;
  scores.calibration_error = matching.calibration_error;
  scores.first_steps = first_steps_variation(train, test, problem.structure, *fitted);
  return scores;
}

ScoreOverFolds over_folds(const std::vector<FoldScores>& folds, std::optional<double> FoldScores::*score) {
  std::vector<double> values;
  for (const FoldScores& fold : folds) {
    if (fold.*score) values.push_back(*(fold.*score));
  }
  ScoreOverFolds result;
  result.folds = static_cast<int>(values.size());
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double x : values) sum += x;
  result.mean = sum / count;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double x : values) squares += (x - *result.mean) * (x - *result.mean);
  result.standard_error = std::sqrt(squares / (count - 1.0) / count);
  return result;
}

void summarise(LearnerScores& row) {
  row.log_loss = over_folds(row.folds, &FoldScores::log_loss);
  row.brier = over_folds(row.folds, &FoldScores::brier);
  row.auroc = over_folds(row.folds, &FoldScores::auroc);
  row.auprc = over_folds(row.folds, &FoldScores::auprc);
  row.calibration_error = over_folds(row.folds, &FoldScores::calibration_error);
  row.first_steps = over_folds(row.folds, &FoldScores::first_steps);
  int doubtful = 0;
  for (const FoldScores& fold : row.folds) {
    row.seconds += fold.seconds;
    if (fold.doubt.empty()) continue;
    if (row.doubt.empty()) row.doubt = fold.doubt;
    ++doubtful;
  }
  row.converged = doubtful == 0;
  if (doubtful > 0) row.doubt += fmt::format(" in {} of {} fits", doubtful, row.folds.size());
}

// The one asked for, if it has predictions; else the one with the least log-loss. Empty: there is none.
std::string reference_of(const std::vector<LearnerScores>& rows, const std::string& asked_for) {
  const LearnerScores* best = nullptr;
  for (const LearnerScores& row : rows) {
    if (!row.log_loss.mean) continue;
    if (row.learner == asked_for) return asked_for;
    if (best == nullptr || *row.log_loss.mean < *best->log_loss.mean) best = &row;
  }
  return best != nullptr ? best->learner : "";
}

void add_pairs(const FoldTrees& trees, const Structure& structure, const std::vector<FoldPolicies>& predicted,
               const CrossValidationOptions& options, CrossValidation& result) {
  const std::string reference = reference_of(result.learners, options.reference);
  if (predicted.size() < 2 || reference.empty()) return;
  result.paired =
      compare_in_pairs(trees.test, structure, predicted, reference,
                       {.replicates = options.replicates, .seed = options.seed, .threads = options.threads});
}

void require_known_reference(const std::vector<const learners::Learner*>& learners, const std::string& name) {
  if (name.empty()) return;
  for (const learners::Learner* learner : learners) {
    if (learner->name() == name) return;
  }
  throw usage_error(fmt::format(
      "option against: \"{}\" is not among the learners that are compared; name one of them", name));
}

}  // namespace

CrossValidation cross_validate(const FoldTrees& trees, const DecisionProblem& problem,
                               const std::vector<const learners::Learner*>& learners,
                               const CrossValidationOptions& options, Sink& sink) {
  require_known_reference(learners, options.reference);
  StopOnly stop_only(sink);
  std::vector<FoldPolicies> predicted;
  const auto folds = trees.train.size();
  const auto total = static_cast<std::int64_t>(learners.size() * folds);
  CrossValidation result;
  sink.progress("fits", 0, total);
  for (std::size_t i = 0; i < learners.size(); ++i) {
    LearnerScores row;
    row.learner = learners[i]->name();
    FoldPolicies of_learner{row.learner, {}};
    try {
      for (std::size_t fold = 0; fold < folds; ++fold) {
        base::stop_if_asked(sink, "stopped");
        row.folds.push_back(score_fold(trees.train[fold], trees.test[fold], problem, *learners[i], options,
                                       stop_only, of_learner));
        sink.progress("fits", static_cast<std::int64_t>(i * folds + fold + 1), total);
      }
      summarise(row);
      predicted.push_back(std::move(of_learner));
    } catch (const learn::NothingFinite&) {
      throw;  // the problem's fault, not the learner's
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInterrupted) {
        result.interrupted = true;
        break;
      }
      if (error.kind() != ErrorKind::kInput) throw;
      row = {};
      row.learner = learners[i]->name();
      row.failure = error.what();
    }
    result.learners.push_back(std::move(row));
  }
  if (!result.interrupted) add_pairs(trees, problem.structure, predicted, options, result);
  return result;
}

}  // namespace interpole::evaluate
