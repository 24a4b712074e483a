#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/json/json_number.hpp"
#include "interpole/service/evaluate/evaluate_task.hpp"

namespace interpole {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinities: what is not finite is null.
Json interval(const std::optional<Interval>& x) {
  return x ? Json::array({x->low, x->high}) : Json(nullptr);
}

Json curve_json(const std::vector<CalibrationBin>& curve) {
  Json bins = Json::array();
  for (const CalibrationBin& bin : curve) {
    const bool empty = bin.decisions <= 0.0;
    bins.push_back({{"from", bin.low},
                    {"to", bin.high},
                    {"decisions", static_cast<std::int64_t>(bin.decisions)},
                    {"predicted", empty ? Json(nullptr) : Json(bin.predicted)},
                    {"observed", empty ? Json(nullptr) : Json(bin.observed)}});
  }
  return bins;
}

Json intervals_json(const ScoreIntervals& scores) {
  return {{"brier", interval(scores.brier)},
          {"auroc", interval(scores.auroc)},
          {"auprc", interval(scores.auprc)},
          {"calibration_error", interval(scores.calibration_error)}};
}

Json actions_json(const Evaluation& evaluation) {
  Json actions = Json::object();
  for (std::size_t a = 0; a < evaluation.matching.actions.size(); ++a) {
    const ActionScores& scores = evaluation.matching.actions[a];
    Json entry = {{"decisions", scores.decisions},
                  {"brier", json_number(scores.brier)},
                  {"auroc", json_number(scores.auroc)},
                  {"auprc", json_number(scores.auprc)},
                  {"calibration_error", json_number(scores.calibration_error)}};
    if (evaluation.intervals) entry["intervals"] = intervals_json(evaluation.intervals->actions[a]);
    entry["calibration"] = curve_json(scores.calibration);
    actions[scores.action] = entry;
  }
  return actions;
}

Json intervals_json(const Evaluation& evaluation) {
  const EvaluationIntervals& intervals = *evaluation.intervals;
  Json json = {{"level", intervals.level},
               {"replicates", intervals.replicates},
               {"log_loss", interval(intervals.all.log_loss)}};
  json.update(intervals_json(intervals.all));
  if (evaluation.mismatch) {
    json["belief_mismatch"] = interval(intervals.belief_mismatch);
    json["policy_mismatch"] = interval(intervals.policy_mismatch);
  }
  if (evaluation.stopping_time) {
    json["stopping_time_error"] = interval(intervals.stopping_time_independent);
    json["stopping_time_error_common"] = interval(intervals.stopping_time_common);
  }
  return json;
}

}  // namespace

std::string to_json(const Evaluation& evaluation) {
  const DataLogLikelihood& sums = evaluation.log_likelihood;
  Json json = {{"patients", evaluation.patients},
               {"decisions", evaluation.decisions},
               {"log_likelihood",
                {{"actions", json_number(sums.actions)},
                 {"observations", json_number(sums.observations)},
                 {"total", json_number(sums.total)}}},
               {"scored_decisions", evaluation.matching.decisions},
               {"log_loss", json_number(evaluation.matching.log_loss)},
               {"brier", json_number(evaluation.matching.brier)},
               {"auroc", json_number(evaluation.matching.auroc)},
               {"auprc", json_number(evaluation.matching.auprc)},
               {"calibration_error", json_number(evaluation.matching.calibration_error)},
               {"by_action", actions_json(evaluation)}};
  if (evaluation.mismatch) {
    json["belief_mismatch"] = json_number(evaluation.mismatch->belief);
    json["policy_mismatch"] = json_number(evaluation.mismatch->policy);
  }
  if (evaluation.stopping_time) {
    json["stopping_time_error"] = json_number(evaluation.stopping_time->independent);
    json["stopping_time_error_common"] = json_number(evaluation.stopping_time->common);
  }
  if (evaluation.intervals) json["intervals"] = intervals_json(evaluation);
  return json.dump(2);
}

}  // namespace interpole
