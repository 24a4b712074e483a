#include <nlohmann/json.hpp>

#include "interpole/base/json/json_number.hpp"
#include "interpole/service/evaluate/reproduce_table.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

Json score_json(const ReproducedScore& score) {
  const evaluate::OverDatasets& ours = score.ours;
  Json json = {{"mean", base::json_number(ours.mean)},
               {"interval", ours.interval ? Json({ours.interval->low, ours.interval->high}) : Json(nullptr)},
               {"deviation", base::json_number(ours.deviation)},
               {"median", base::json_number(ours.median)},
               {"lowest", base::json_number(ours.lowest)},
               {"highest", base::json_number(ours.highest)},
               {"datasets", ours.count}};
  if (!score.paper) return json;
  json["paper"] = {{"mean", score.paper->mean}, {"deviation", score.paper->deviation}};
  json["worse_than_paper"] = score.worse;
  return json;
}

Json row_json(const ReproduceOutcome& outcome, std::size_t index) {
  const ReproducedRow& row = outcome.rows[index];
  Json options = Json::object();
  for (const auto& [name, value] : row.row.options) options[name] = value;
  Json json = {
      {"learner", row.row.name}, {"label", row.row.label},
      {"options", options},      {"paper", row.row.paper.empty() ? Json(nullptr) : Json(row.row.paper)},
      {"runs", row.runs},        {"not_converged", row.not_converged}};
  if (!row.failure.empty()) json["failure"] = row.failure;
  Json scores = Json::object();
  for (std::size_t k = 0; k < outcome.table.scores.size(); ++k) {
    Json score = score_json(row.scores[k]);
    Json values = Json::array();
    for (const ReproduceRun& run : outcome.runs) {
      if (run.row == index) values.push_back(base::json_number(run.result.scores[k]));
    }
    score["values"] = values;
    scores[outcome.table.scores[k].key] = score;
  }
  json["scores"] = scores;
  return json;
}

}  // namespace

std::string to_json(const ReproduceOutcome& outcome) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < outcome.rows.size(); ++i) rows.push_back(row_json(outcome, i));
  Json json = {{"program", "interpole"},      {"version", version()},
               {"table", outcome.table.name}, {"paper_table", outcome.table.number},
               {"seed", outcome.seed},        {"datasets", outcome.datasets},
               {"patients", outcome.patients}};
  if (outcome.folds > 0) json["folds"] = outcome.folds;
  if (!outcome.data.empty()) json["data"] = outcome.data;
  json["interval_coverage"] = 0.95;
  if (outcome.stopping_time_of_truth) {
    json["stopping_time_error_of_truth"] = score_json({*outcome.stopping_time_of_truth, {}, false});
  }
  json["interrupted"] = outcome.interrupted;
  json["learners"] = rows;
  return json.dump(2);
}

}  // namespace interpole::service
