#include "interpole/service/evaluation_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/json/json_number.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinities: what is not finite is null.
Json interval(const std::optional<evaluate::Interval>& x) {
  return x ? Json::array({x->low, x->high}) : Json(nullptr);
}

Json curve_json(const std::vector<evaluate::CalibrationBin>& curve) {
  Json bins = Json::array();
  for (const evaluate::CalibrationBin& bin : curve) {
    const bool empty = bin.decisions <= 0.0;
    bins.push_back({{"from", bin.low},
                    {"to", bin.high},
                    {"decisions", static_cast<std::int64_t>(bin.decisions)},
                    {"predicted", empty ? Json(nullptr) : Json(bin.predicted)},
                    {"observed", empty ? Json(nullptr) : Json(bin.observed)}});
  }
  return bins;
}

Json score_intervals_json(const evaluate::ScoreIntervals& scores) {
  return {{"brier", interval(scores.brier)},
          {"auroc", interval(scores.auroc)},
          {"auprc", interval(scores.auprc)},
          {"calibration_error", interval(scores.calibration_error)}};
}

Json actions_json(const evaluate::Evaluation& evaluation) {
  Json actions = Json::object();
  for (std::size_t a = 0; a < evaluation.matching.actions.size(); ++a) {
    const evaluate::ActionScores& scores = evaluation.matching.actions[a];
    Json entry = {{"decisions", scores.decisions},
                  {"brier", base::json_number(scores.brier)},
                  {"auroc", base::json_number(scores.auroc)},
                  {"auprc", base::json_number(scores.auprc)},
                  {"calibration_error", base::json_number(scores.calibration_error)}};
    if (evaluation.intervals) entry["intervals"] = score_intervals_json(evaluation.intervals->actions[a]);
    entry["calibration"] = curve_json(scores.calibration);
    actions[scores.action] = entry;
  }
  return actions;
}

Json score_intervals_json(const evaluate::Evaluation& evaluation) {
  const evaluate::EvaluationIntervals& intervals = *evaluation.intervals;
  Json json = {{"level", intervals.level},
               {"replicates", intervals.replicates},
               {"log_loss", interval(intervals.all.log_loss)}};
  json.update(score_intervals_json(intervals.all));
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

std::string to_json(const evaluate::Evaluation& evaluation) {
  const evaluate::DataLogLikelihood& sums = evaluation.log_likelihood;
  Json json = {{"patients", evaluation.patients},
               {"decisions", evaluation.decisions},
               {"log_likelihood",
                {{"actions", base::json_number(sums.actions)},
                 {"observations", base::json_number(sums.observations)},
                 {"total", base::json_number(sums.total)}}},
               {"scored_decisions", evaluation.matching.decisions},
               {"log_loss", base::json_number(evaluation.matching.log_loss)},
               {"brier", base::json_number(evaluation.matching.brier)},
               {"auroc", base::json_number(evaluation.matching.auroc)},
               {"auprc", base::json_number(evaluation.matching.auprc)},
               {"calibration_error", base::json_number(evaluation.matching.calibration_error)},
               {"by_action", actions_json(evaluation)}};
  if (evaluation.mismatch) {
    json["belief_mismatch"] = base::json_number(evaluation.mismatch->belief);
    json["policy_mismatch"] = base::json_number(evaluation.mismatch->policy);
  }
  if (evaluation.stopping_time) {
    json["stopping_time_error"] = base::json_number(evaluation.stopping_time->independent);
    json["stopping_time_error_common"] = base::json_number(evaluation.stopping_time->common);
  }
  if (evaluation.intervals) json["intervals"] = score_intervals_json(evaluation);
  return json.dump(2);
}

}  // namespace interpole::service
