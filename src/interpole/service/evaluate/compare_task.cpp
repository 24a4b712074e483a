#include "interpole/service/evaluate/compare_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "interpole/base/error.hpp"
#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/csv.hpp"
#include "interpole/base/json/json_number.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/run_fingerprint.hpp"

namespace interpole {
namespace {

using Json = nlohmann::ordered_json;

Json score_json(const LearnerScores& row, const ScoreOverFolds& score,
                std::optional<double> FoldScores::*of_fold) {
  Json folds = Json::array();
  for (const FoldScores& fold : row.folds) folds.push_back(json_number(fold.*of_fold));
  return {{"mean", json_number(score.mean)},
          {"standard_error", json_number(score.standard_error)},
          {"folds", folds}};
}

Json row_json(const LearnerScores& row) {
  Json json = {{"learner", row.learner},
               {"log_loss", score_json(row, row.log_loss, &FoldScores::log_loss)},
               {"brier", score_json(row, row.brier, &FoldScores::brier)},
               {"auroc", score_json(row, row.auroc, &FoldScores::auroc)},
               {"auprc", score_json(row, row.auprc, &FoldScores::auprc)},
               {"seconds", row.seconds},
               {"converged", row.converged && row.failure.empty()}};
  if (!row.doubt.empty()) json["doubt"] = row.doubt;
  if (!row.failure.empty()) json["failure"] = row.failure;
  return json;
}

std::string csv_score(const ScoreOverFolds& score) {
  const auto cell = [](const std::optional<double>& x) { return x ? fmt::format("{}", *x) : ""; };
  return fmt::format("{},{}", cell(score.mean), cell(score.standard_error));
}

std::string csv_of(const CrossValidation& result) {
  std::string text =
      "learner,log_loss,log_loss_se,brier,brier_se,auroc,auroc_se,auprc,auprc_se,fit_seconds,converged,"
      "failure\n";
  for (const LearnerScores& row : result.learners) {
    text += fmt::format("{},{},{},{},{},{:.3f},{},{}\n", csv_cell(row.learner), csv_score(row.log_loss),
                        csv_score(row.brier), csv_score(row.auroc), csv_score(row.auprc), row.seconds,
                        row.converged && row.failure.empty(), csv_cell(row.failure));
  }
  return text;
}

std::vector<const Learner*> learners_of(const CompareRequest& request) {
  if (request.learners.empty()) return all_learners();
  std::vector<const Learner*> learners;
  for (const std::string& name : request.learners) {
    try {
      learners.push_back(&learner_named(name));
    } catch (const Error& error) {
      throw usage_error(std::string("--learners: ") + error.what());
    }
    if (std::count(learners.begin(), learners.end(), learners.back()) > 1) {
      throw usage_error(fmt::format("--learners: {} is named twice; name it once", name));
    }
  }
  return learners;
}

}  // namespace

CompareOutcome run_compare(const CompareRequest& request, Sink& sink) {
  const std::vector<const Learner*> learners = learners_of(request);
  require_separate_files({{"--csv", request.csv}});
  const Study study = read_study(request.study);
  FoldBuilder builder(study.structure.action_count(), request.folds, request.options.seed);
  for_each_record(study, request.data, [&](const RecordView& record) { builder.add(record.steps); });
  const FoldTrees trees = builder.build();
  require_possible(study, request.data, trees.all);
  CompareOutcome outcome{trees.all.records, trees.all.decisions, request.folds, request.options.seed, {}};
  outcome.result = cross_validate(trees, study, learners, request.options, sink);
  if (outcome.result.learners.empty() && outcome.result.interrupted) {
    throw Error(ErrorKind::kInterrupted, "stopped before the first learner was done; nothing was written");
  }
  for (const LearnerScores& row : outcome.result.learners) {
    if (!row.failure.empty()) sink.warn(fmt::format("{}: {}", row.learner, row.failure));
    if (!row.converged) sink.warn(fmt::format("{}: {}", row.learner, row.doubt));
  }
  if (!request.csv.empty()) write_file_atomically(request.csv, csv_of(outcome.result));
  return outcome;
}

std::string to_json(const CompareOutcome& outcome) {
  Json rows = Json::array();
  for (const LearnerScores& row : outcome.result.learners) rows.push_back(row_json(row));
  return Json({{"patients", outcome.patients},
               {"decisions", outcome.decisions},
               {"folds", outcome.folds},
               {"seed", outcome.seed},
               {"interrupted", outcome.result.interrupted},
               {"learners", rows}})
      .dump(2);
}

}  // namespace interpole
