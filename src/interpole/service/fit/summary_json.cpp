#include "interpole/service/fit/summary_json.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "interpole/base/files/hash.hpp"
#include "interpole/base/json/json_number.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/model/parameter_words.hpp"
#include "interpole/service/intervals_json.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinities: what is not finite is null.
template <class Value, class Total>
Json log_likelihood(const Value& value, const Total& total) {
  return {{"actions", base::json_number(value.actions)},
          {"observations", base::json_number(value.observations)},
          {"total", base::json_number(total)}};
}

Json mode_details(const learn::FitSummary& summary) {
  Json modes = Json::array();
  for (const learn::Mode& mode : summary.modes) {
    modes.push_back({{"log_posterior", base::json_number(mode.log_posterior)},
                     {"restarts", mode.members.size()},
                     {"belief_distance", base::json_number(mode.from_best.belief)},
                     {"policy_distance", base::json_number(mode.from_best.policy)}});
  }
  return modes;
}

Json scales_json(const learn::CouplingScales& scales, const std::vector<learn::ScaleChoice::OfKind>* kinds) {
  Json json = Json::object();
  const auto learned = [&](Field field) {
    if (kinds == nullptr) return true;
    return std::any_of(kinds->begin(), kinds->end(), [&](const auto& kind) { return kind.field == field; });
  };
  if (learned(Field::kInitial)) json["initial_belief"] = base::json_number(scales.initial);
  if (learned(Field::kTransition)) json["transition"] = base::json_number(scales.transition);
  if (learned(Field::kObservation)) json["observation"] = base::json_number(scales.observation);
  return json;
}

// How far agent and world are apart, and the evidence that they are.
Json coupling_json(const learn::FitSummary& summary) {
  if (!summary.scale_choice) return {{"scales", scales_json(summary.scales, nullptr)}, {"chosen_by", "user"}};
  const learn::ScaleChoice& choice = *summary.scale_choice;
  Json profile = Json::array();
  for (std::size_t j = 0; j < choice.common.sigma.size(); ++j) {
    profile.push_back({{"scale", choice.common.sigma[j]},
                       {"log_evidence", base::json_number(choice.common.log_evidence[j])}});
  }
  return {{"scales", scales_json(choice.scales, &choice.kinds)},
          {"chosen_by", "evidence"},
          {"log_evidence", base::json_number(choice.log_evidence)},
          {"log_evidence_shared", base::json_number(choice.log_evidence_of_one)},
          {"log_bayes_factor", base::json_number(choice.log_bayes_factor())},
          {"profile", profile}};
}

Json weak_json(const Structure& structure, const learn::Uncertainty& uncertainty) {
  Json list = Json::array();
  for (const learn::WeakDirection& weak : uncertainty.weak) {
    list.push_back({{"information", base::json_number(weak.information)},
                    {"involved", weak.involved},
                    {"in_words", model::parameter_words(structure, weak.involved)}});
  }
  return list;
}

// What the fit says of its own quality.
Json quality(const FitOutcome& outcome) {
  const learn::FitSummary& summary = outcome.summary;
  Json json = {{"log_posterior", base::json_number(summary.log_posterior)},
               {"log_prior", base::json_number(summary.log_prior)},
               {"log_likelihood", log_likelihood(summary.log_likelihood, summary.log_likelihood.total())},
               {"evaluations", summary.evaluations},
               {"stop_reason", summary.interrupted ? "interrupted" : describe(summary.best().stop)},
               {"converged", summary.converged() && !summary.interrupted},
               {"gradient_norm", base::json_number(summary.best().gradient_norm)},
               {"parameters_learned", summary.parameters_learned},
               {"restarts", summary.restarts.size()},
               {"best_restart", summary.best_restart},
               {"modes", summary.modes.size()},
               {"mode_details", mode_details(summary)},
               {"labels", {{"ambiguous", summary.labels.ambiguous}, {"how", summary.labels.sentence}}},
               {"policy_identified", summary.policy.free_directions == 0}};
  if (!summary.policy.sentence.empty()) json["policy_note"] = summary.policy.sentence;
  if (summary.world) json["coupling"] = coupling_json(summary);
  if (summary.uncertainty) {
    json["decided_by_prior"] = weak_json(outcome.model.structure, *summary.uncertainty);
    json["curvature_of_a_maximum"] = summary.uncertainty->proper;
  }
  return json;
}

Json data_counts(const FitOutcome& outcome) {
  return {{"patients", outcome.patients}, {"decisions", outcome.decisions}, {"histories", outcome.histories}};
}

Json source(const std::string& path) {
  return {{"file", std::filesystem::path(path).filename().string()},
          {"sha256", base::sha256_of_file(data::table_location(path).file)}};
}

// One file as before; several by the names of their tables.
Json source(const DataFiles& data) {
  if (data.tables.size() == 1) return source(data.tables[0].second);
  Json tables = Json::object();
  std::string names;
  for (const auto& [name, file] : data.tables) {
    tables[name] = source(file);
    names += (names.empty() ? "" : ", ") + std::filesystem::path(file).filename().string();
  }
  return {{"file", names}, {"tables", tables}};
}

Json provenance(const std::string& study, const DataFiles& files, const Json& counts, const Json& options) {
  Json data = source(files);
  data.update(counts);
  return {{"program", "interpole"},
          {"version", version()},
          {"study", source(study)},
          {"data", data},
          {"options", options}};
}

}  // namespace

std::string provenance_json(const std::string& study, const DataFiles& data, const std::string& counts,
                            const std::string& options) {
  return provenance(study, data, Json::parse(counts), Json::parse(options)).dump();
}

std::string to_json(const FitOutcome& outcome) {
  Json json = quality(outcome);
  json.update(data_counts(outcome));
  if (outcome.intervals) {
    json["intervals"] = intervals_json(outcome.model.structure, *outcome.intervals);
  }
  json["seconds"] = base::json_number(outcome.summary.seconds);
  return json.dump(2);
}

std::string model_extras(const FitRequest& request, const Study& study, const FitOutcome& outcome) {
  const learn::FitOptions& options = request.options;
  Json used = {{"dynamics", name_of(options.dynamics)},
               {"optimizer", name_of(options.optimizer)},
               {"restarts", options.restarts},
               {"seed", options.seed}};
  if (options.optimizer == learn::Optimizer::kAlgorithm1) {
    used["monitor"] = options.monitor == learn::Monitor::kExpected ? "expected" : "exact";
  }
  Json json = {{"provenance", provenance(request.study, request.data, data_counts(outcome), used)},
               {"fit", quality(outcome)}};
  if (outcome.summary.uncertainty) {
    json["uncertainty"] = Json::parse(learn::format_uncertainty(study, *outcome.summary.uncertainty));
  }
  return json.dump();
}

}  // namespace interpole::service
