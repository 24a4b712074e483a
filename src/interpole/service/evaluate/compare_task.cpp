#include "interpole/service/evaluate/compare_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/csv.hpp"
#include "interpole/base/json/json_number.hpp"
#include "interpole/data/policy_covariates.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/floors.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/name_study.hpp"
#include "interpole/service/rare_records.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/service/same_inputs.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

Json ends_json(const std::optional<evaluate::Interval>& interval) {
  return interval ? Json({interval->low, interval->high}) : Json(nullptr);
}

Json score_json(const evaluate::LearnerScores& row, const evaluate::ScoreOverFolds& score,
                std::optional<double> evaluate::FoldScores::*of_fold) {
  Json folds = Json::array();
  for (const evaluate::FoldScores& fold : row.folds) folds.push_back(base::json_number(fold.*of_fold));
  return {{"mean", base::json_number(score.mean)},
          {"standard_error", base::json_number(score.standard_error)},
          {"interval", ends_json(score.interval)},
          {"folds", folds}};
}

Json row_json(const evaluate::LearnerScores& row) {
  Json json = {
      {"learner", row.learner},
      {"log_loss", score_json(row, row.log_loss, &evaluate::FoldScores::log_loss)},
      {"brier", score_json(row, row.brier, &evaluate::FoldScores::brier)},
      {"auroc", score_json(row, row.auroc, &evaluate::FoldScores::auroc)},
      {"auprc", score_json(row, row.auprc, &evaluate::FoldScores::auprc)},
      {"calibration_error", score_json(row, row.calibration_error, &evaluate::FoldScores::calibration_error)},
      {"first_steps", score_json(row, row.first_steps, &evaluate::FoldScores::first_steps)},
      {"seconds", row.seconds},
      {"converged", row.converged && row.failure.empty()}};
  if (!row.doubt.empty()) json["doubt"] = row.doubt;
  if (!row.failure.empty()) json["failure"] = row.failure;
  return json;
}

Json difference_json(const evaluate::Difference& difference) {
  Json folds = Json::array();
  for (const auto& fold : difference.folds) folds.push_back(base::json_number(fold));
  return {{"mean", base::json_number(difference.mean)},
          {"interval", ends_json(difference.interval)},
          {"interval_over_folds", ends_json(difference.over_folds)},
          {"folds", folds}};
}

Json paired_json(const evaluate::PairedComparison& paired) {
  Json rows = Json::array();
  for (const evaluate::PairedRow& row : paired.rows) {
    rows.push_back({{"learner", row.learner},
                    {"log_loss", difference_json(row.log_loss)},
                    {"auroc", difference_json(row.auroc)}});
  }
  return {{"reference", paired.reference}, {"replicates", paired.replicates}, {"learners", rows}};
}

std::string csv_score(const evaluate::ScoreOverFolds& score) {
  const auto cell = [](const std::optional<double>& x) { return x ? fmt::format("{}", *x) : ""; };
  return fmt::format("{},{}", cell(score.mean), cell(score.standard_error));
}

std::string csv_of(const evaluate::CrossValidation& result) {
  std::string text =
      "learner,log_loss,log_loss_se,brier,brier_se,auroc,auroc_se,auprc,auprc_se,calibration_error,"
      "calibration_error_se,first_steps,first_steps_se,fit_seconds,converged,failure\n";
  for (const evaluate::LearnerScores& row : result.learners) {
    text += fmt::format("{},{},{},{},{},{},{},{:.3f},{},{}\n", base::shown_csv_cell(row.learner),
                        csv_score(row.log_loss), csv_score(row.brier), csv_score(row.auroc),
                        csv_score(row.auprc), csv_score(row.calibration_error), csv_score(row.first_steps),
                        row.seconds, row.converged && row.failure.empty(), base::shown_csv_cell(row.failure));
  }
  return text;
}

std::vector<const learners::Learner*> learners_of(const CompareRequest& request) {
  if (request.learners.empty()) return learners::all_learners();
  std::vector<const learners::Learner*> learners;
  for (const std::string& name : request.learners) {
    try {
      learners.push_back(&learners::learner_named(name));
    } catch (const Error& error) {
      throw usage_error(std::string("option learners: ") + error.what());
    }
    if (std::count(learners.begin(), learners.end(), learners.back()) > 1) {
      throw usage_error(fmt::format("option learners: {} is named twice; name it once", name));
    }
  }
  return learners;
}

}  // namespace

CompareOutcome run_compare(const CompareRequest& request, Sink& sink) {
  const std::vector<const learners::Learner*> learners = learners_of(request);
  const NamedFiles inputs = with_data({{"option study", request.study}}, request.data);
  require_separate_files({{"option csv", request.csv}}, inputs);
  require_same_inputs(inputs);
  Study study = read_study(request.study);
  warn_of_rare_records(study, request.data, sink);
  for (const std::string& sentence : data::describe_covariates(study, request.data, request.min_cell))
    sink.note(sentence);
  evaluate::FoldBuilder builder(study.structure.action_count(), request.folds, request.options.seed,
                                data::start_places(study.starts, study.known.policy.terms.covariates));
  if (request.data.counts) builder.forget_order();
  data::for_each_record_in_context(study, request.data, study.known.policy.terms.covariates,
                                   [&](const data::RecordView& record, std::span<const double> covariates) {
                                     builder.add(record.steps, covariates, record.count);
                                   });
  const evaluate::FoldTrees trees = builder.build();
  require_possible(study, request.data, trees.all);
  CompareOutcome outcome{trees.all.records, trees.all.decisions, request.folds, request.options.seed, {}, {}};
  outcome.result = name_study(
      request.study, [&] { return evaluate::cross_validate(trees, study, learners, request.options, sink); });
  outcome.sentences = evaluate::floor_sentences(outcome.result);
  if (outcome.result.learners.empty() && outcome.result.interrupted) {
    throw Error(ErrorKind::kInterrupted, "stopped before the first learner was done; nothing was written");
  }
  for (const evaluate::LearnerScores& row : outcome.result.learners) {
    if (!row.failure.empty()) sink.warn(fmt::format("{}: {}", row.learner, row.failure));
    if (!row.converged) sink.warn(fmt::format("{}: {}", row.learner, row.doubt));
  }
  if (!request.csv.empty()) base::write_file_atomically(request.csv, csv_of(outcome.result));
  return outcome;
}

std::string to_json(const CompareOutcome& outcome) {
  Json rows = Json::array();
  for (const evaluate::LearnerScores& row : outcome.result.learners) rows.push_back(row_json(row));
  Json json = {{"patients", outcome.patients},
               {"decisions", outcome.decisions},
               {"folds", outcome.folds},
               {"seed", outcome.seed},
               {"interrupted", outcome.result.interrupted},
               {"learners", rows},
               {"sentences", outcome.sentences}};
  if (outcome.result.paired) json["paired"] = paired_json(*outcome.result.paired);
  return json.dump(2);
}

}  // namespace interpole::service
