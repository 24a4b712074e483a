#include "interpole/data/warehouse/mapped_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "interpole/base/messages.hpp"
#include "interpole/data/counts/named_covariates.hpp"
#include "interpole/data/counts/step_codes.hpp"
#include "interpole/data/mapping/population.hpp"
#include "interpole/data/mapping/record_rules.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"
#include "interpole/data/warehouse/portable_sql.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr double kLargest = 1.7976931348623157e308;

class MappedQuery {
 public:
  MappedQuery(const Study& study, const SqlDialect& dialect, const std::string& table)
      : study_(study),
        mapping_(*study.mapping),
        dialect_(dialect),
        codes_(study.structure, mapping_.diagnosis.has_value()) {
    require_stated_cuts();
    source_ = source_sql(table);
  }

  RecordSteps steps() {
    cells_stage();
    values_stage();
    judged_stage();
    ordered_stage();
    cut_stage();
    coded_stage();
    return std::move(steps_);
  }

 private:
  bool is_duckdb() const { return dialect_.kind() == SqlDialect::Kind::kDuckdb; }
  int factor_count() const { return static_cast<int>(mapping_.factors.size()); }
  void add_stage(const char* name, const char* comment, std::string sql) {
    steps_.stages.push_back({name, comment, std::move(sql)});
  }

  void require_stated_cuts() const;
  std::string source_sql(const std::string& table) const;
  std::string condition(const std::string& sql, const char* key) const;
  std::string covariate(const std::string& name) const;
  std::string cell(const std::string& column) const;
  std::string place_sql() const;
  std::string action_sql() const;
  std::string lookup(const std::string& cell, const std::vector<CellMeaning>& meanings, std::int64_t factor,
                     std::int64_t shift) const;
  std::string actions_in(const auto& holds) const;
  std::string level_sql(int k) const;
  std::string digit_sql(int k, const std::string& found) const;
  std::string outcome_sql() const;
  std::string carried() const;

  void cells_stage();
  void values_stage();
  void judged_stage();
  void ordered_stage();
  void cut_stage();
  void coded_stage();

  const Study& study_;
  const TableMapping& mapping_;
  const SqlDialect& dialect_;
  StepCodes codes_;
  std::string source_;
  RecordSteps steps_;
};

void MappedQuery::require_stated_cuts() const {
  for (int k = 0; k < factor_count(); ++k) {
    const Factor& factor = mapping_.factors[static_cast<std::size_t>(k)];
    if (!factor.numeric || !factor.bins.derived()) continue;
    throw input_error(fmt::format(
        "{}: factors[{}].bins: the cuts of {} depend on the population, which a query that counts "
        "cannot know beforehand; state them (interpole study check prints them, from a sample)",
        mapping_.study, k, base::shown(factor.name)));
  }
}

std::string MappedQuery::source_sql(const std::string& table) const {
  if (!table.empty()) return dialect_.table(table);
  const SourceTables& source = mapping_.source;
  if (source.sql.empty()) return dialect_.table(source.tables.at(0));
  const auto refuse = [&](const std::string& why) {
    return input_error(fmt::format(
        "{}: source.sql: {}; make a view of its rows in the warehouse and name it with option table",
        mapping_.study, why));
  };
  if (!is_duckdb())
    throw refuse(fmt::format("it is DuckDB's SQL, which {} may read in another way", dialect_.name()));
  if (!source.missing.empty())
    throw refuse(
        "it works on tables in which cells of source.missing have no value, and in the warehouse they do");
  return fmt::format("(\n{}\n  ) AS ip_source", source.sql);
}

// A condition of the study's own: 1 where it is true, 0 elsewhere.
std::string MappedQuery::condition(const std::string& sql, const char* key) const {
  const std::string own =
      is_duckdb() ? sql + "\n" : portable_sql(sql, dialect_, mapping_.study + ": " + key).sql;
  return fmt::format("CASE WHEN ({}) THEN 1 ELSE 0 END", own);
}

// The text of a covariate in a row, as DuckDB writes it.
std::string MappedQuery::covariate(const std::string& name) const {
  std::string sql = is_duckdb() ? sql_identifier(name) : dialect_.column(name);
  const auto& declared = mapping_.covariates;
  const auto found =
      std::find_if(declared.begin(), declared.end(), [&](const auto& x) { return x.name == name; });
  if (found == declared.end()) return dialect_.as_text(sql);
  if (is_duckdb()) return dialect_.as_text("(" + found->sql + "\n)");
  const PortableSql own = portable_sql(found->sql, dialect_,
                                       fmt::format("{}: covariates: {}", mapping_.study, base::shown(name)));
  if (!own.is_condition) return dialect_.as_text(own.sql);
  return fmt::format("CASE WHEN {0} THEN 'true' WHEN NOT ({0}) THEN 'false' END", own.sql);
}

// The text of a cell without blanks around it, NULL where there is no value.
std::string MappedQuery::cell(const std::string& column) const {
  std::vector<std::string> none = {""};
  const auto add = [&](const std::string& code) {
    const std::string text = trimmed(code);
    none.push_back(text);
    // A whole number in a column of numbers, as warehouses write it.
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || number != std::floor(number)) return;
    none.push_back(text + ".0");
    none.push_back(text + ".0E0");
  };
  for (const std::string& code : mapping_.source.missing) add(code);
  for (const Factor& factor : mapping_.factors) {
    if (factor.column != column) continue;
    for (const std::string& code : factor.missing) add(code);
  }
  std::vector<std::string> constants;
  for (const std::string& text : none) {
    const std::string constant = dialect_.text(text);
    if (std::find(constants.begin(), constants.end(), constant) == constants.end())
      constants.push_back(constant);
  }
  const std::string text = fmt::format("TRIM({})", dialect_.as_text(dialect_.column(column)));
  return fmt::format("CASE WHEN {0} IN ({1}) THEN NULL ELSE {0} END", text, fmt::join(constants, ", "));
}

std::string MappedQuery::lookup(const std::string& cell, const std::vector<CellMeaning>& meanings,
                                std::int64_t factor, std::int64_t shift) const {
  std::string sql = "CASE " + cell;
  for (const auto& [text, meaning] : meanings) {
    sql += fmt::format(" WHEN {} THEN {}", dialect_.text(trimmed(text)), meaning * factor + shift);
  }
  return sql + " END";
}

std::string MappedQuery::place_sql() const {
  switch (mapping_.record.kind) {
    case OrderKind::kCodes: {
      std::vector<CellMeaning> codes;
      for (const std::string& code : mapping_.record.codes)
        codes.emplace_back(code, static_cast<int>(codes.size()));
      return lookup("ip_visit", codes, 1, 0);
    }
    case OrderKind::kNumber:
      return dialect_.as_number("ip_visit");
    case OrderKind::kDate:
      break;
  }
  return dialect_.as_days("ip_visit");
}

std::string MappedQuery::action_sql() const {
  const ActionRule& rule = mapping_.action;
  if (!rule.by_presence) return lookup("ip_action_cell", rule.values, 1, 0);
  return fmt::format("CASE WHEN ip_action_cell IS NULL THEN {} ELSE {} END", rule.if_absent, rule.if_present);
}

std::string MappedQuery::actions_in(const auto& holds) const {
  std::vector<int> members;
  for (int a = 0; a < study_.structure.action_count(); ++a) {
    if (holds(a)) members.push_back(a);
  }
  return members.empty() ? "" : fmt::format("ip_action IN ({})", fmt::join(members, ", "));
}

void MappedQuery::cells_stage() {
  std::string list =
      fmt::format("{} AS ip_id,\n    {} AS ip_visit,\n    {} AS ip_action_cell", cell(mapping_.record.id),
                  cell(mapping_.record.order), cell(mapping_.action.column));
  for (int k = 0; k < factor_count(); ++k)
    list += fmt::format(",\n    {} AS ip_cell{}", cell(mapping_.factors[k].column), k);
  const auto& required = mapping_.filters.required;
  for (std::size_t i = 0; i < required.size(); ++i)
    list += fmt::format(",\n    {} AS ip_required{}", cell(required[i]), i);
  if (!mapping_.filters.where.empty())
    list += fmt::format(",\n    {} AS ip_wanted", condition(mapping_.filters.where, "filters.where"));
  if (!mapping_.filters.drop_if_last.empty())
    list +=
        fmt::format(",\n    {} AS ip_ends", condition(mapping_.filters.drop_if_last, "filters.drop_if_last"));
  if (mapping_.diagnosis) list += fmt::format(",\n    {} AS ip_diagnosis", cell(mapping_.diagnosis->column));
  const auto names = named_covariates(study_);
  for (std::size_t i = 0; i < names.size(); ++i)
    list += fmt::format(",\n    {} AS ip_covariate{}", covariate(names[i]), i);
  add_stage("ip_cells", "Cells as text; NULL where there is no value.",
            fmt::format("SELECT {}\n  FROM {}", list, source_));
}

// What later stages need of a row besides its place, action, levels and problem.
std::string MappedQuery::carried() const {
  std::string list;
  if (!mapping_.filters.drop_if_last.empty()) list += ", ip_ends";
  if (mapping_.diagnosis) list += ", ip_state";
  for (std::size_t i = 0; i < named_covariates(study_).size(); ++i)
    list += fmt::format(", ip_covariate{}", i);
  return list;
}

void MappedQuery::values_stage() {
  std::string list = fmt::format("*,\n    {} AS ip_at,\n    {} AS ip_action", place_sql(), action_sql());
  for (int k = 0; k < factor_count(); ++k) {
    const Factor& factor = mapping_.factors[k];
    const std::string from = fmt::format("ip_cell{}", k);
    list += factor.numeric ? fmt::format(",\n    {} AS ip_number{}", dialect_.as_number(from), k)
                           : fmt::format(",\n    {} AS ip_found{}", lookup(from, factor.values, 1, 1), k);
  }
  if (mapping_.diagnosis)
    list += fmt::format(",\n    COALESCE({}, 0) AS ip_state",
                        lookup("ip_diagnosis", mapping_.diagnosis->values, 1, 1));
  add_stage("ip_values", "Visits as places, cells as actions, numbers and levels.",
            fmt::format("SELECT {}\n  FROM ip_cells", list));
}

// 0: no value; 1 + level.
std::string MappedQuery::level_sql(int k) const {
  const Factor& factor = mapping_.factors[k];
  if (!factor.numeric) return fmt::format("COALESCE(ip_found{}, 0)", k);
  const UsedBins bins = stated_bins(factor.bins);
  std::string sql = fmt::format("CASE WHEN ip_number{} IS NULL THEN 0", k);
  for (std::size_t i = 0; i < bins.cuts.size(); ++i) {
    // Both ends of mean ± k·SD belong to the middle level.
    const bool inclusive = factor.bins.rule == BinRule::kSpread ? i > 0 : factor.bins.upper_inclusive;
    sql += fmt::format(" WHEN ip_number{} {} {} THEN {}", k, inclusive ? "<=" : "<",
                       dialect_.number(bins.cuts[i]), i + 1);
  }
  return sql + fmt::format(" ELSE {} END", bins.cuts.size() + 1);
}

// Rows that are left out go here; what remains is right or a problem.
void MappedQuery::judged_stage() {
  std::vector<std::string> kept = {"ip_id IS NOT NULL", "ip_visit IS NOT NULL"};
  if (mapping_.record.kind == OrderKind::kCodes) kept.emplace_back("ip_at IS NOT NULL");
  if (!mapping_.filters.where.empty()) kept.emplace_back("ip_wanted = 1");
  for (std::size_t i = 0; i < mapping_.filters.required.size(); ++i)
    kept.push_back(fmt::format("ip_required{} IS NOT NULL", i));
  std::string problem = "CASE";
  const auto look_for = [&](const std::string& condition, const std::string& what) {
    problem += fmt::format("\n      WHEN {} THEN {}", condition, steps_.problems.add(what));
  };
  const std::string finite =
      fmt::format("BETWEEN {} AND {}", dialect_.number(-kLargest), dialect_.number(kLargest));
  if (mapping_.record.kind != OrderKind::kCodes)
    look_for(fmt::format("NOT COALESCE(ip_at {}, 1 = 0)", finite),
             fmt::format("a {} that is no {}", mapping_.record.order,
                         mapping_.record.kind == OrderKind::kDate ? "date" : "number"));
  if (!mapping_.action.by_presence) {
    look_for("ip_action_cell IS NULL", fmt::format("no {} (action)", mapping_.action.column));
    look_for("ip_action IS NULL", fmt::format("a {} that is no action of the study", mapping_.action.column));
  }
  std::string list = "ip_id, ip_at, ip_action";
  for (int k = 0; k < factor_count(); ++k) {
    const Factor& factor = mapping_.factors[k];
    const std::string good = factor.numeric ? fmt::format("COALESCE(ip_number{} {}, 1 = 0)", k, finite)
                                            : fmt::format("ip_found{} IS NOT NULL", k);
    std::string measured;
    if (!factor.seen_before) {
      measured = actions_in([&](int a) { return !study_.structure.is_terminal(a) && factor.yielded(a); });
      if (measured.empty()) measured = "1 = 0";
      measured += " AND ";
    }
    look_for(
        fmt::format("{}ip_cell{} IS NOT NULL AND NOT {}", measured, k, good),
        fmt::format("a {} that is no {} of the study", factor.column, factor.numeric ? "number" : "level"));
    list += fmt::format(",\n    {} AS ip_level{}", level_sql(k), k);
  }
  const bool any = problem != "CASE";
  list += fmt::format(",\n    {} AS ip_problem{}", any ? problem + "\n      ELSE 0 END" : "0", carried());
  add_stage("ip_rows", "Rows that the study wants; those that are wrong are marked.",
            fmt::format("SELECT {}\n  FROM ip_values\n  WHERE {}", list, fmt::join(kept, " AND ")));
}

// Ties and gaps, from the visit before.
void MappedQuery::ordered_stage() {
  steps_.numbered = true;
  steps_.tie = steps_.problems.add("two rows of one visit");
  steps_.after_terminal = steps_.problems.add("a visit after an action that ends the record");
  add_stage(
      "ip_visits", "Every visit with the one before it.",
      fmt::format("SELECT *,\n    {} AS ip_before\n  FROM ip_rows", dialect_.lag("ip_at", "ip_id", "ip_at")));
}

void MappedQuery::cut_stage() {
  const RecordRule& rule = mapping_.record;
  const bool gaps = rule.spacing && rule.gaps != GapRule::kKeep;
  std::string gap = "0";
  if (gaps) {
    const double most = *rule.spacing + rule.tolerance;
    gap = fmt::format("CASE WHEN ip_at - ip_before > {}{} THEN 1 ELSE 0 END",
                      dialect_.number(most + gap_slack(most)),
                      rule.first ? fmt::format(" AND ip_before >= {}", dialect_.number(*rule.first)) : "");
  }
  std::string list = fmt::format(
      "*,\n    CASE WHEN ip_problem = 0 AND ip_at = ip_before THEN {} ELSE ip_problem END AS ip_trouble,\n   "
      " {} AS ip_gap",
      steps_.tie, gap);
  add_stage("ip_gaps", "Two rows of one visit are a problem; visits too far apart are gaps.",
            fmt::format("SELECT {}\n  FROM ip_visits", list));
  std::vector<std::string> kept;
  if (rule.first) {
    kept.push_back(fmt::format("ip_at >= {}", dialect_.number(*rule.first)));
    steps_.kept.push_back(fmt::format("MIN(ip_at) = {}", dialect_.number(*rule.first)));
  }
  std::string last = "ip_gaps";
  if (gaps && rule.gaps == GapRule::kCut) {
    add_stage("ip_counted_gaps", "How many gaps came before.",
              "SELECT *,\n    SUM(ip_gap) OVER (PARTITION BY ip_id ORDER BY ip_at ROWS BETWEEN UNBOUNDED "
              "PRECEDING AND "
              "CURRENT ROW) AS ip_gaps_before\n  FROM ip_gaps");
    kept.emplace_back("ip_gaps_before = 0");
    last = "ip_counted_gaps";
  } else if (gaps) {
    steps_.kept.emplace_back("MAX(ip_gap) = 0");
  }
  const std::string order = "OVER (PARTITION BY ip_id ORDER BY ip_at)";
  std::string numbered = fmt::format("*,\n    ROW_NUMBER() {} AS ip_place,\n    {} AS ip_next", order,
                                     dialect_.lead("ip_at", "ip_id", "ip_at"));
  for (int k = 0; k < factor_count(); ++k) {
    if (mapping_.factors[k].seen_before)
      numbered += fmt::format(",\n    {} AS ip_next_level{}",
                              dialect_.lead(fmt::format("ip_level{}", k), "ip_id", "ip_at"), k);
  }
  std::string sql = fmt::format("SELECT {}\n  FROM {}", numbered, last);
  if (!kept.empty()) sql += fmt::format("\n  WHERE ip_trouble > 0 OR ({})", fmt::join(kept, " AND "));
  add_stage("ip_kept", "The visits that make the record, numbered, with what the next one holds.",
            std::move(sql));
}

// The digit that goes with the row's action: 0 no value, 1 + level.
std::string MappedQuery::digit_sql(int k, const std::string& found) const {
  const Factor& factor = mapping_.factors[k];
  const std::string skipped = actions_in([&](int a) { return !factor.yielded(a); });
  if (skipped.empty()) return found;
  return fmt::format("CASE WHEN {} THEN {} ELSE {} END", skipped, factor.measured_levels() + 1, found);
}

// 0: not recorded; otherwise 1 + the joint outcome, the last factor varying fastest.
std::string MappedQuery::outcome_sql() const {
  std::string recorded;
  std::string joint;
  for (int k = 0; k < factor_count(); ++k) {
    const Factor& factor = mapping_.factors[k];
    const std::string found =
        factor.seen_before ? fmt::format("COALESCE(ip_next_level{}, 0)", k) : fmt::format("ip_level{}", k);
    const std::string digit = digit_sql(k, found);
    recorded += fmt::format("{}{} = 0", recorded.empty() ? "" : " OR ", digit);
    joint = joint.empty() ? fmt::format("({} - 1)", digit)
                          : fmt::format("({} * {} + {} - 1)", joint, factor.levels.size(), digit);
  }
  const std::string terminal = actions_in([&](int a) { return study_.structure.is_terminal(a); });
  return fmt::format("CASE WHEN {}{} THEN 0\n      ELSE {} + 1 END",
                     terminal.empty() ? "" : terminal + " OR ", recorded, joint);
}

void MappedQuery::coded_stage() {
  const std::string terminal = actions_in([&](int a) { return study_.structure.is_terminal(a); });
  std::string list =
      fmt::format("ip_id, ip_place, ip_at, ip_gap, ip_next, ip_trouble AS ip_problem,\n    {} AS ip_terminal",
                  terminal.empty() ? "0" : fmt::format("CASE WHEN {} THEN 1 ELSE 0 END", terminal));
  list += fmt::format(",\n    COALESCE(ip_action * {} + ({}) * {}{}, 0) AS ip_code", codes_.of_action(),
                      outcome_sql(), codes_.of_outcome(), mapping_.diagnosis ? " + ip_state" : "");
  if (!mapping_.filters.drop_if_last.empty()) list += ", ip_ends";
  const auto names = named_covariates(study_);
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += fmt::format(", ip_covariate{}", i);
    steps_.covariates.push_back(
        {names[i], fmt::format("COALESCE(MAX(CASE WHEN ip_place = 1 THEN ip_covariate{} END), '')", i), "",
         0});
  }
  add_stage("ip_steps", "One number for each step.", fmt::format("SELECT {}\n  FROM ip_kept", list));
  if (mapping_.filters.minimum_visits > 1)
    steps_.kept.push_back(fmt::format("COUNT(*) >= {}", mapping_.filters.minimum_visits));
  if (!mapping_.filters.drop_if_last.empty())
    steps_.kept.emplace_back("MAX(CASE WHEN ip_next IS NULL THEN ip_ends ELSE 0 END) = 0");
}

}  // namespace

RecordSteps mapped_steps(const Study& study, const SqlDialect& dialect, const std::string& table) {
  return MappedQuery(study, dialect, table).steps();
}

}  // namespace interpole::data
