#include "interpole/data/warehouse/visits_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interpole/base/messages.hpp"
#include "interpole/data/counts/named_covariates.hpp"
#include "interpole/data/counts/step_codes.hpp"

namespace interpole::data {
namespace {

// CASE cell WHEN 'x' THEN 0 …, each name's place times `factor` plus `shift`.
std::string codes_sql(const SqlDialect& dialect, const std::string& cell,
                      const std::vector<std::string>& names, std::int64_t factor, std::int64_t shift) {
  std::string sql = "CASE " + cell;
  for (std::size_t i = 0; i < names.size(); ++i) {
    sql += fmt::format(" WHEN {} THEN {}", dialect.text(names[i]),
                       static_cast<std::int64_t>(i) * factor + shift);
  }
  return sql;
}

// Where a row's action cannot yield its outcome; empty if any can yield any.
std::string impossible_sql(const Structure& structure, const StepCodes& codes) {
  std::vector<std::string> conditions;
  for (int a = 0; a < structure.action_count(); ++a) {
    std::vector<std::int64_t> possible = {0};
    for (int z = 0; z < structure.observation_count(); ++z) {
      if (structure.can_yield(a, z)) possible.push_back((z + 1) * codes.of_outcome());
    }
    if (possible.size() == structure.observations.size() + 1) continue;
    conditions.push_back(fmt::format("(ip_action = {} AND ip_outcome NOT IN ({}))", a * codes.of_action(),
                                     fmt::join(possible, ", ")));
  }
  return fmt::format("{}", fmt::join(conditions, " OR "));
}

std::string terminal_sql(const Structure& structure, const StepCodes& codes) {
  std::vector<std::int64_t> members;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.is_terminal(a)) members.push_back(a * codes.of_action());
  }
  if (members.empty()) return "0";
  return fmt::format("CASE WHEN ip_action IN ({}) THEN 1 ELSE 0 END", fmt::join(members, ", "));
}

// What a row's outcome adds to its code: an empty cell may stand for an outcome.
std::string outcome_sql(const Structure& structure, const StepCodes& codes) {
  if (structure.not_recorded == kMissing) return "ip_outcome";
  std::vector<std::int64_t> yielding;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.can_yield(a, structure.not_recorded)) yielding.push_back(a * codes.of_action());
  }
  return fmt::format("CASE WHEN ip_outcome = 0 AND ip_action IN ({}) THEN {} ELSE ip_outcome END",
                     fmt::join(yielding, ", "), (structure.not_recorded + 1) * codes.of_outcome());
}

}  // namespace

RecordSteps visits_steps(const Study& study, const SqlDialect& dialect, const std::string& table) {
  const Structure& structure = study.structure;
  const StepCodes codes(structure, false);
  RecordSteps steps;
  const auto text = [&](const std::string& column) { return dialect.as_text(dialect.column(column)); };
  const std::string outcome = fmt::format("COALESCE({}, '')", text("observation"));
  std::string cells = fmt::format(
      "SELECT {} AS ip_id, {} AS ip_place,\n    {} END AS ip_action,\n    {} WHEN '' THEN 0 END AS "
      "ip_outcome",
      text("patient"), dialect.as_whole_number(dialect.column("step")),
      codes_sql(dialect, text("action"), structure.actions, codes.of_action(), 0),
      codes_sql(dialect, outcome, structure.observations, codes.of_outcome(), codes.of_outcome()));
  const auto names = named_covariates(study);
  for (std::size_t i = 0; i < names.size(); ++i) {
    cells += fmt::format(",\n    COALESCE({}, '') AS ip_covariate{}", text(names[i]), i);
  }
  steps.stages.push_back({"ip_cells", "Names as numbers; an empty observation is one that was not recorded.",
                          fmt::format("{}\n  FROM {}", cells, table)});

  std::string problem = "CASE";
  const auto look_for = [&](const std::string& condition, const std::string& what) {
    if (!condition.empty())
      problem += fmt::format("\n      WHEN {} THEN {}", condition, steps.problems.add(what));
  };
  look_for("ip_id IS NULL OR ip_id = ''", "no patient");
  look_for("ip_place IS NULL", "a row without a step");
  look_for("ip_action IS NULL", "an action that is not the study's");
  look_for("ip_outcome IS NULL", "an observation that is not the study's");
  look_for(impossible_sql(structure, codes), "an observation that its action cannot yield");
  std::string coded = fmt::format(
      "SELECT ip_id, ip_place, COALESCE(ip_action + {}, 0) AS ip_code, {} AS ip_terminal,\n    {}\n  "
      "    "
      "ELSE 0 END AS ip_problem",
      outcome_sql(structure, codes), terminal_sql(structure, codes), problem);
  for (std::size_t i = 0; i < names.size(); ++i) coded += fmt::format(", ip_covariate{}", i);
  steps.stages.push_back({"ip_steps", "One number for each step, and what cannot be read.",
                          fmt::format("{}\n  FROM ip_cells", coded)});
  steps.tie = steps.problems.add("two rows at the same step");
  steps.after_terminal = steps.problems.add("a step after an action that ends the record");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string column = fmt::format("ip_covariate{}", i);
    steps.covariates.push_back({names[i], fmt::format("MIN({})", column),
                                fmt::format("MIN({0}) <> MAX({0})", column),
                                steps.problems.add(fmt::format("two values of {}", base::shown(names[i])))});
  }
  return steps;
}

}  // namespace interpole::data
