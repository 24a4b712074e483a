#include <array>
#include <nlohmann/json.hpp>

#include "interpole/service/explain/audit_task.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kKinds = {"belated_diagnoses", "uninformative_tests",
                               "patients_with_uninformative_tests", "unlikely_records"};

Json optional(const std::optional<double>& x) {
  return x ? Json(*x) : Json(nullptr);
}

Json share_json(const std::optional<explain::CohortShare>& x) {
  if (!x) return nullptr;
  return {{"flagged", x->flagged},
          {"total", x->total},
          {"share", x->share.middle},
          {"low", x->share.low},
          {"high", x->share.high},
          {"p_value", optional(x->p_value)},
          {"p_value_adjusted", optional(x->p_adjusted)}};
}

Json share_estimate_json(const std::optional<Estimate>& x) {
  if (!x) return nullptr;
  return {{"share", x->middle}, {"low", x->low}, {"high", x->high}};
}

Json frequency_json(const explain::CohortTables& tables) {
  Json rows = Json::array();
  for (const explain::CohortRow& row : tables.rows) {
    Json json = {{"cohort", row.name}, {"patients", row.patients ? Json(*row.patients) : Json(nullptr)}};
    for (int kind = 0; kind < explain::kFlagKinds; ++kind) json[kKinds[kind]] = share_json(row.flags[kind]);
    rows.push_back(json);
  }
  return rows;
}

Json features_json(const explain::CohortTables& tables) {
  Json rows = Json::array();
  for (std::size_t i = 1; i < tables.rows.size(); ++i) {
    const explain::CohortRow& row = tables.rows[i];
    Json json = {{"feature", row.name}, {"all_patients", share_estimate_json(row.of_all)}};
    for (const int kind : {0, 2, 3}) json[kKinds[kind]] = share_estimate_json(row.of_flagged[kind]);
    rows.push_back(json);
  }
  return rows;
}

Json moments_json(const std::optional<explain::CohortMean::Moments>& x) {
  if (!x) return nullptr;
  return {{"mean", x->mean}, {"sd", x->sd}};
}

Json means_json(const explain::CohortTables& tables) {
  Json rows = Json::array();
  for (const explain::CohortMean& mean : tables.means) {
    Json json = {{"covariate", mean.covariate}, {"all_patients", moments_json(mean.all)}};
    for (const int kind : {0, 2, 3}) json[kKinds[kind]] = moments_json(mean.flagged[kind]);
    rows.push_back(json);
  }
  return rows;
}

Json value_json(const std::optional<explain::TestValue>& value) {
  if (!value || value->visits == 0) return nullptr;
  return {{"visits", value->visits},
          {"expected_information_bits", value->information},
          {"expected_information_bits_world", optional(value->information_world)},
          {"share_where_it_could_change_the_next_action", optional(value->decides)}};
}

Json flagged_json(const FlaggedPatient& flagged) {
  const RecordAudit& audit = flagged.audit;
  Json json = {{"patient", flagged.patient}};
  if (audit.belated) {
    Json left_out = Json::array();
    for (const int t : audit.left_out) left_out.push_back(flagged.visits[t]);
    json["belated"] = {{"left_out", left_out},
                       {"confirmed", flagged.visits[audit.confirmed]},
                       {"probability", optional(audit.belated_probability)},
                       {"removable_by", optional(audit.removable_by)}};
  }
  Json tests = Json::array();
  for (const auto& test : audit.tests) {
    if (test.uninformative) {
      tests.push_back({{"visit", flagged.visits[test.visit]}, {"probability", optional(test.probability)}});
    }
  }
  if (!tests.empty()) json["uninformative_tests"] = tests;
  if (audit.unlikely) {
    json["unlikely"] = {{"excess_surprise_nats", audit.excess}, {"tail_probability", optional(audit.tail)}};
  }
  return json;
}

Json reason(const std::string& why) {
  return why.empty() ? Json(nullptr) : Json(why);
}

}  // namespace

std::string to_json(const AuditOutcome& outcome) {
  Json tests = Json::array();
  for (const auto& value : outcome.tests) {
    tests.push_back({{"action", outcome.structure.actions[value.action]},
                     {"where_done", value_json(value.done)},
                     {"where_not_done", value_json(value.not_done)}});
  }
  Json json = {{"rules",
                {{"near_certain", outcome.options.near_certain},
                 {"insignificant_sds_below_mean", outcome.options.insignificant},
                 {"least_significant_move", outcome.least_move},
                 {"false_discoveries", outcome.options.false_discoveries},
                 {"certainty", outcome.certainty},
                 {"min_cell", outcome.min_cell}}},
               {"not_applicable",
                {{"belated_diagnoses", reason(outcome.rules.no_belated)},
                 {"uninformative_tests", reason(outcome.rules.no_uninformative)}}},
               {"frequency", frequency_json(outcome.tables)},
               {"features", features_json(outcome.tables)},
               {"means", means_json(outcome.tables)},
               {"tests", tests},
               {"withheld", outcome.tables.withheld},
               {"draws", outcome.draws},
               {"probabilities_from", outcome.source.empty() ? Json(nullptr) : Json(outcome.source)},
               {"simulated_records", outcome.simulated},
               {"warnings", outcome.warnings}};
  if (!outcome.flagged.empty()) {
    Json list = Json::array();
    for (const auto& flagged : outcome.flagged) list.push_back(flagged_json(flagged));
    json["flagged_patients"] = list;
  }
  return json.dump(2);
}

}  // namespace interpole::service
