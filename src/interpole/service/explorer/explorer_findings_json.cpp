#include <array>

#include "interpole/explain/policy/bias_words.hpp"
#include "interpole/explain/policy/share_words.hpp"
#include "interpole/service/explorer/explorer_json.hpp"

namespace interpole::service {
namespace {

using Json = ExplorerJson;

constexpr std::array kFlagNames = {"belated", "uninformative_tests", "uninformative_patients", "unlikely"};

Json test_value_json(const std::optional<explain::TestValue>& value) {
  if (!value) {
    return {
        {"visits", nullptr}, {"information", nullptr}, {"information_world", nullptr}, {"decides", nullptr}};
  }
  return {{"visits", value->visits},
          {"information", finite_json(value->information)},
          {"information_world", finite_json(value->information_world)},
          {"decides", finite_json(value->decides)}};
}

Json cohort_share_json(const std::optional<explain::CohortShare>& x) {
  if (!x) return nullptr;
  return {{"flagged", x->flagged},
          {"total", x->total},
          {"share", interval_json(x->share)},
          {"p_value", finite_json(x->p_value)},
          {"p_value_adjusted", finite_json(x->p_adjusted)}};
}

Json cohort_row_json(const explain::CohortRow& row) {
  Json flags = Json::object();
  Json of_flagged = Json::object();
  for (int kind = 0; kind < explain::kFlagKinds; ++kind) {
    flags[kFlagNames[kind]] = cohort_share_json(row.flags[kind]);
    of_flagged[kFlagNames[kind]] = interval_json(row.of_flagged[kind]);
  }
  return {{"name", row.name},
          {"patients", row.patients ? Json(*row.patients) : Json(nullptr)},
          {"flags", flags},
          {"of_flagged", of_flagged},
          {"of_all", interval_json(row.of_all)}};
}

const char* name_of_field(Field field) {
  if (field == Field::kInitial) return "initial_belief";
  return field == Field::kTransition ? "transition" : "observation";
}

}  // namespace

Json explorer_audit_json(const Structure& structure, const explain::AuditRules& rules,
                         const AuditOptions& options, double least_move, const ListedRecords& unlikely,
                         const std::vector<explain::CohortTestValue>& tests) {
  const int Z = structure.observation_count();
  Json is_test = Json::array();
  Json instead = Json::array();
  Json own = Json::array();
  for (int a = 0; a < structure.action_count(); ++a) {
    is_test.push_back(rules.is_test(a));
    Json row = Json::array();
    for (int z = 0; z < Z; ++z) row.push_back(rules.instead[a * Z + z]);
    instead.push_back(row);
    Json alone = Json::array();
    for (int k = 0; k < rules.factors; ++k) alone.push_back(rules.is_own(a, k));
    own.push_back(alone);
  }
  Json values = Json::array();
  for (const explain::CohortTestValue& value : tests) {
    values.push_back({{"action", value.action},
                      {"done", test_value_json(value.done)},
                      {"not_done", test_value_json(value.not_done)}});
  }
  Json json = {{"tests", is_test},
               {"instead", instead},
               {"no_belated", rules.no_belated},
               {"no_uninformative", rules.no_uninformative},
               {"near_certain", options.near_certain},
               {"insignificant", options.insignificant},
               {"certainty", options.certainty},
               {"clearly", options.clearly},
               {"least_move", finite_json(least_move)},
               {"no_unlikely", unlikely.why_not},
               {"unlikely", unlikely.records},
               {"test_values", values}};
  if (structure.measured()) json["own"] = own;
  return json;
}

Json explorer_cohorts_json(const explain::CohortTables& tables, bool named_by_user,
                           const std::vector<std::vector<std::int64_t>>& members) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < tables.rows.size(); ++i) {
    if (i > 0 && !named_by_user && explain::says_nothing(tables.rows[i])) continue;
    rows.push_back(cohort_row_json(tables.rows[i]));
    if (i > 0 && !members.empty()) rows.back()["records"] = members[i - 1];
  }
  return {{"rows", rows}, {"withheld", tables.withheld}};
}

Json explorer_bias_json(const Structure& structure, const ExplorerBias& bias) {
  Json findings = Json::array();
  for (const BiasFinding& finding : bias.audit.findings) {
    const bool initial = finding.field == Field::kInitial;
    findings.push_back({{"field", name_of_field(finding.field)},
                        {"action", initial ? Json(nullptr) : Json(finding.action)},
                        {"state", finding.state},
                        {"outcome", finding.outcome},
                        {"name", finding.name},
                        {"agent", interval_json(finding.agent)},
                        {"world", interval_json(finding.world)},
                        {"difference", interval_json(finding.difference)},
                        {"exceeds", finding.exceeds},
                        {"flagged", finding.flagged},
                        {"removable_by", finding.removable_by ? Json(*finding.removable_by) : Json(nullptr)},
                        {"sentence", "The decision-maker " + explain::sentence_of(structure, finding) + "." +
                                         (finding.flagged && bias.sign_weighed
                                              ? " " + explain::sign_sentence(finding.removable_by) + "."
                                              : "")}});
  }
  const auto& cost = bias.audit.cost;
  return {{"verdict", name_of(bias.verdict)},
          {"reasons", bias.reasons},
          {"sentences", bias.sentences},
          {"log_bayes_factor", finite_json(bias.log_bayes_factor)},
          {"margin", bias.options.margin},
          {"findings", findings},
          {"changed", cost ? interval_json(cost->changed) : Json(nullptr)},
          {"changed_beyond_chance", cost ? interval_json(cost->excess) : Json(nullptr)},
          {"source", bias.source}};
}

Json explorer_shares_json(const learn::Shares& shares) {
  Json parts = Json::array();
  for (const explain::ShareRow& row : explain::share_rows(shares)) {
    parts.push_back({{"name", row.name}, {"words", row.words}, {"nats", row.nats}, {"share", row.share}});
  }
  return {{"foreseen", explain::foreseen_part(shares)},
          {"gained", shares.gained},
          {"frequencies", shares.frequencies},
          {"parts", parts},
          {"sentences", explain::share_sentences(shares)}};
}

}  // namespace interpole::service
