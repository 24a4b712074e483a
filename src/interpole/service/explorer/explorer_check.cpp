#include "interpole/service/explorer/explorer_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/files/text_file.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/evaluate/scores/student_t.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/explain/disclosure/disclosure_json.hpp"
#include "interpole/model/parameter_words.hpp"
#include "interpole/service/checks_json.hpp"

namespace interpole::service {
namespace {

using Json = ExplorerJson;

constexpr std::size_t kMostWeak = 8;

Json member(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object.at(key) : Json();
}

Json boolean(const Json& object, const char* key) {
  const Json value = member(object, key);
  return value.is_boolean() ? value : Json(nullptr);
}

Json said(const std::string& json) {
  return json.empty() ? Json() : Json::parse(json);
}

Json without_file_names(Json json) {
  if (json.is_object()) json.erase("file");
  if (json.is_structured()) {
    for (auto& value : json) value = without_file_names(value);
  }
  return json;
}

// What the file says of its making, without file names (unless they are wanted) and without small counts.
Json safe_provenance(const Json& json, std::int64_t min_cell, bool file_names) {
  return explain::without_small_counts(file_names ? json : without_file_names(json), min_cell);
}

Json modes_json(const Json& fit) {
  Json modes = Json::array();
  const Json details = member(fit, "mode_details");
  double restarts = 0.0;
  for (const Json& mode : details) {
    if (member(mode, "restarts").is_number()) restarts += mode.at("restarts").get<double>();
  }
  for (const Json& mode : details) {
    if (!member(mode, "restarts").is_number() || !member(mode, "log_posterior").is_number()) continue;
    modes.push_back({{"log_posterior", mode.at("log_posterior")},
                     {"share", mode.at("restarts").get<double>() / std::max(restarts, 1.0)}});
  }
  return modes;
}

// Parameters that take part in combinations the data leave to the prior, those in most of them first.
Json weak_json(const Json& fit, const Structure& structure) {
  std::vector<std::pair<int, std::string>> rows;
  for (const Json& direction : member(fit, "decided_by_prior")) {
    for (const Json& name : member(direction, "involved")) {
      if (!name.is_string()) continue;
      const auto text = name.get<std::string>();
      const auto found =
          std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.second == text; });
      if (found == rows.end()) {
        rows.emplace_back(1, text);
      } else {
        ++found->first;
      }
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const auto& row : rows) names.push_back(row.second);
  std::vector<std::string> sentences = model::parameter_words(structure, names);
  const std::size_t more = sentences.size() > kMostWeak ? sentences.size() - kMostWeak : 0;
  sentences.resize(sentences.size() - more);
  if (more > 0) sentences.push_back(fmt::format("and {} more", more));
  return sentences;
}

Json identified_json(const Json& fit) {
  const Json policy = boolean(fit, "policy_identified");
  const Json ambiguous = boolean(member(fit, "labels"), "ambiguous");
  if (policy.is_null() && ambiguous.is_null()) return nullptr;
  return policy != Json(false) && ambiguous != Json(true);
}

Json score_json(const std::optional<double>& value, const std::optional<evaluate::Interval>& interval) {
  return {{"value", finite_json(value)},
          {"low", interval ? finite_json(interval->low) : Json(nullptr)},
          {"high", interval ? finite_json(interval->high) : Json(nullptr)}};
}

Json scores_json(const evaluate::Evaluation& evaluation) {
  const evaluate::ActionMatching& scores = evaluation.matching;
  const evaluate::ScoreIntervals intervals =
      evaluation.intervals ? evaluation.intervals->all : evaluate::ScoreIntervals{};
  return {{"brier", score_json(scores.brier, intervals.brier)},
          {"auroc", score_json(scores.auroc, intervals.auroc)},
          {"auprc", score_json(scores.auprc, intervals.auprc)},
          {"log_loss", score_json(scores.log_loss, intervals.log_loss)},
          {"calibration_error", score_json(scores.calibration_error, intervals.calibration_error)}};
}

// Bins of which a number is withheld: their decisions, those with the action, or those without it. Each of
// the three adds up to a total that is known.
std::vector<char> withheld_bins(const std::vector<evaluate::CalibrationBin>& bins, std::int64_t min_cell) {
  std::vector<std::int64_t> all, taken, others;
  for (const evaluate::CalibrationBin& bin : bins) {
    all.push_back(std::llround(bin.decisions));
    taken.push_back(std::llround(bin.observed));
    others.push_back(all.back() - taken.back());
  }
  std::vector<char> hidden(bins.size(), 0);
  for (const auto* counts : {&all, &taken, &others}) {
    const std::vector<char> more = explain::withheld(*counts, min_cell);
    for (std::size_t i = 0; i < bins.size(); ++i) hidden[i] = hidden[i] != 0 || more[i] != 0 ? 1 : 0;
  }
  return hidden;
}

// All actions together: every probability the model gave, beside how often that action was taken.
Json calibration_json(const evaluate::ActionMatching& matching, std::int64_t min_cell) {
  std::vector<evaluate::CalibrationBin> bins;  // with sums where the action's have averages
  for (const evaluate::ActionScores& action : matching.actions) {
    bins.resize(std::max(bins.size(), action.calibration.size()));
    for (std::size_t i = 0; i < action.calibration.size(); ++i) {
      const evaluate::CalibrationBin& bin = action.calibration[i];
      bins[i].low = bin.low;
      bins[i].high = bin.high;
      bins[i].decisions += bin.decisions;
      bins[i].predicted += bin.predicted * bin.decisions;
      bins[i].observed += bin.observed * bin.decisions;
    }
  }
  const std::vector<char> hidden = withheld_bins(bins, min_cell);
  Json curve = Json::array();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const evaluate::CalibrationBin& bin = bins[i];
    if (bin.decisions <= 0.0) continue;
    const bool shown = hidden[i] == 0;
    curve.push_back({{"low", bin.low},
                     {"high", bin.high},
                     {"decisions", shown ? Json(std::llround(bin.decisions)) : Json(nullptr)},
                     {"predicted", shown ? finite_json(bin.predicted / bin.decisions) : Json(nullptr)},
                     {"observed", shown ? finite_json(bin.observed / bin.decisions) : Json(nullptr)}});
  }
  return curve;
}

Json compared_score(simdjson::dom::object row, std::string_view name, const base::JsonPlace& place) {
  const base::JsonPlace here = place.at(name);
  const auto score = base::json_object(base::json_member(row, name, place), here);
  const auto optional = [&](std::string_view key) -> std::optional<double> {
    const auto value = base::json_member(score, key, here);
    if (value.is_null()) return std::nullopt;
    return json_number(value, here.at(key));
  };
  const auto mean = optional("mean");
  const auto error = optional("standard_error");
  int folds = 0;
  for (const auto fold : base::json_array(base::json_member(score, "folds", here), here.at("folds"))) {
    folds += fold.is_null() ? 0 : 1;
  }
  std::optional<evaluate::Interval> interval;
  if (mean && error && folds > 1) {
    const double reach = evaluate::reach_of_mean(*error, folds);
    interval = evaluate::Interval{*mean - reach, *mean + reach};
  }
  return score_json(mean, interval);
}

}  // namespace

Json explorer_check_json(const FitResult& result, const ModelChecks& checks,
                         const evaluate::Evaluation& evaluation, std::int64_t min_cell, bool individual) {
  const Json fit = said(result.quality.json);
  const Json provenance = said(result.provenance.json);
  const evaluate::DataLogLikelihood& sums = evaluation.log_likelihood;
  return {{"converged", boolean(fit, "converged")},
          {"identified", identified_json(fit)},
          {"log_likelihood",
           {{"actions", finite_json(sums.actions)},
            {"observations", finite_json(sums.observations)},
            {"total", finite_json(sums.total)}}},
          {"scores", scores_json(evaluation)},
          {"calibration", calibration_json(evaluation.matching, min_cell)},
          {"checks", checks_json(individual ? checks : without_covariate_names(checks), false)},
          {"not_checked", checks.not_checked},
          {"modes_disagree", !disagreement_of(result.quality).empty()},
          {"modes", modes_json(fit)},
          {"weak", weak_json(fit, result.model.structure)},
          {"comparison", nullptr},
          {"provenance",
           provenance.is_object() ? safe_provenance(provenance, min_cell, individual) : Json::object()}};
}

Json explorer_comparison_json(const std::string& path) {
  const std::string text = base::read_text_file(path, "comparison of learners");
  simdjson::dom::parser parser;
  const base::JsonPlace top(path);
  const auto document = base::json_object(base::parse_json(parser, text, path), top);
  const base::JsonPlace rows_place = top.at("learners");
  Json rows = Json::array();
  std::size_t index = 0;
  for (const auto element : base::json_array(base::json_member(document, "learners", top), rows_place)) {
    const base::JsonPlace place = rows_place.at(index++);
    const auto row = base::json_object(element, place);
    Json scores = Json::object();
    for (const std::string_view name : {"brier", "auroc", "auprc", "log_loss"}) {
      scores[std::string(name)] = compared_score(row, name, place);
    }
    rows.push_back(
        {{"learner", base::json_text(base::json_member(row, "learner", place), place.at("learner"))},
         {"scores", scores}});
  }
  return rows;
}

}  // namespace interpole::service
