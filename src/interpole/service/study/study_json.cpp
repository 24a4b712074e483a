#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/service/study/study_task.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

template <class Counts>
Json by_name(const std::vector<std::string>& names, const Counts& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) json[names[i]] = counts[i];
  return json;
}

Json attrition_json(const data::Attrition& attrition) {
  Json dropped = Json::array();
  for (const auto& stage : attrition.dropped) {
    dropped.push_back({{"reason", stage.reason}, {"rows", stage.rows}, {"patients", stage.patients}});
  }
  return {{"rows_in", attrition.rows_in},
          {"patients_in", attrition.patients_in},
          {"dropped", dropped},
          {"rows_kept", attrition.rows_kept},
          {"patients_kept", attrition.patients_kept},
          {"rows_too_soon", attrition.rows_too_soon},
          {"patients_too_soon", attrition.patients_too_soon}};
}

Json factor_json(const Factor& factor, const data::FactorReport& report) {
  Json json = {{"name", factor.name},
               {"column", factor.column},
               {"levels", by_name(factor.levels, report.levels)},
               {"missing", report.missing},
               {"ignored", report.ignored}};
  if (!factor.numeric) return json;
  json["cuts"] = report.bins.cuts;
  if (report.bins.mean) json["mean"] = *report.bins.mean;
  if (report.bins.spread) json["spread"] = *report.bins.spread;
  return json;
}

Json masks_json(const Structure& structure) {
  Json json = Json::object();
  for (int a = 0; a < structure.action_count(); ++a) {
    Json outcomes = Json::array();
    for (int z = 0; z < structure.observation_count(); ++z) {
      if (structure.can_yield(a, z)) outcomes.push_back(structure.observations[z]);
    }
    json[structure.actions[a]] = outcomes;
  }
  return json;
}

// Of measured factors: where most values lie (an index of a level, where it has levels), and how often each
// action left the cell empty.
Json values_json(const Structure& structure, const data::DataSummary& summary) {
  Json json = Json::object();
  for (std::size_t f = 0; f < structure.factors.size(); ++f) {
    Json empty = Json::object();
    for (std::size_t a = 0; a < structure.actions.size(); ++a) {
      if (structure.is_terminal(static_cast<int>(a)) || !structure.factors[f].yielded(static_cast<int>(a)))
        continue;
      empty[structure.actions[a]] = summary.empty[a * structure.factors.size() + f];
    }
    const std::vector<double>& at = summary.quantiles[f];
    json[structure.factors[f].name] = {
        {"values", summary.values[f]},
        {"quantiles", at.empty() ? Json(nullptr) : Json{{"5%", at[0]}, {"50%", at[1]}, {"95%", at[2]}}},
        {"empty", empty}};
  }
  return json;
}

}  // namespace

std::string to_json(const StudyCheck& check) {
  const Structure& structure = check.study.structure;
  Json json = {{"study", check.study.name}, {"states", structure.states}, {"masks", masks_json(structure)}};
  if (check.summary) {
    const data::DataSummary& summary = *check.summary;
    json["patients"] = summary.patients;
    json["decisions"] = summary.decisions;
    json["histories"] = summary.histories;
    json["without_outcome"] = summary.without_outcome;
    json["actions"] = by_name(structure.actions, summary.actions);
    json["observations"] = by_name(structure.observations, summary.observations);
    if (structure.measured()) json["values"] = values_json(structure, summary);
    if (structure.timed()) {
      const std::vector<double>& at = summary.gap_quantiles;
      json["gaps"] = {
          {"unit", structure.time->unit},
          {"quantiles", at.empty() ? Json(nullptr) : Json{{"5%", at[0]}, {"50%", at[1]}, {"95%", at[2]}}}};
    }
    Json lengths = Json::object();
    for (const auto& [length, records] : summary.lengths) lengths[std::to_string(length)] = records;
    json["lengths"] = lengths;
  }
  if (check.mapping) {
    json["attrition"] = attrition_json(check.mapping->attrition);
    json["factors"] = Json::array();
    for (std::size_t k = 0; k < check.mapping->factors.size(); ++k) {
      json["factors"].push_back(factor_json(check.study.mapping->factors[k], check.mapping->factors[k]));
    }
    json["crowded"] = check.mapping->crowded;
  }
  json["warnings"] = check.warnings;
  if (check.summary) {
    Json doubted = Json::array();
    for (const std::size_t k : check.seen_doubt.factors)
      doubted.push_back(check.study.mapping ? check.study.mapping->factors[k].name : "observation");
    json["seen_doubtful"] = doubted;
  }
  return json.dump(2);
}

}  // namespace interpole::service
