#include "interpole/data/mapping/mapped_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "interpole/base/messages.hpp"
#include "interpole/data/locked_sql/missing_cells.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::data {
namespace {

// Problems, counted from the last stage on.
enum Problem { kBadPlace, kNoAction, kUnknownAction, kBadFactor };

std::string number_sql(double number) {
  return fmt::format("'{}'::DOUBLE", number);
}

// CASE cell WHEN 'x' THEN 0 …; no ELSE: NULL.
std::string lookup_sql(const std::string& cell, const std::vector<CellMeaning>& meanings, int shift) {
  std::string sql = "CASE " + cell;
  for (const auto& [text, meaning] : meanings)
    sql += fmt::format(" WHEN {} THEN {}", sql_text(trimmed(text)), meaning + shift);
  return sql + " END";
}

// The id as a whole number, NULL if it is none. Whatever casts to one begins with a digit, a sign, a point or
// white space, all of which come before ':'; a cast that fails is twenty times as slow as this comparison.
constexpr std::string_view kWholeNumber =
    "CASE WHEN interpole_id < ':' THEN TRY_CAST(interpole_id AS BIGINT) END";

// The actions for which `holds`, as an SQL condition on the action.
template <class Holds>
std::string action_in(int actions, const Holds& holds) {
  std::vector<int> members;
  for (int a = 0; a < actions; ++a) {
    if (holds(a)) members.push_back(a);
  }
  return members.empty() ? "false" : fmt::format("interpole_action IN ({})", fmt::join(members, ", "));
}

std::vector<std::string> row_stages(const TableMapping& mapping) {
  const RecordRule& record = mapping.record;
  std::vector<std::string> stages = {fmt::format("no {} (record id)", record.id),
                                     fmt::format("no {} (visit)", record.order)};
  if (record.kind == OrderKind::kCodes)
    stages.push_back(fmt::format("other {} than the study's codes", record.order));
  if (!mapping.filters.where.empty()) stages.emplace_back("not where the study wants it");
  for (const std::string& column : mapping.filters.required) stages.push_back(fmt::format("no {}", column));
  return stages;
}

std::vector<std::string> cell_texts(const std::vector<CellMeaning>& meanings) {
  std::vector<std::string> texts;
  texts.reserve(meanings.size());
  for (const auto& [text, meaning] : meanings) texts.push_back(text);
  return texts;
}

void require_column(const LockedTables& tables, const std::string& column, const std::string& where) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), column) != names.end();
  };
  if (!has(tables.columns())) {
    throw input_error(fmt::format("{}: there is no column {}, which {} names{}", tables.files(),
                                  base::shown(column), where,
                                  base::suggestion(column, tables.columns(), "the columns are")));
  }
  if (has(tables.nested_columns())) {
    throw input_error(fmt::format(
        "{}: column {}, which {} names, holds lists or objects, not values; take what is needed out "
        "of it in source.sql and name that",
        tables.files(), base::shown(column), where));
  }
}

// Whether the factor's family can have the number.
std::string measurable_sql(const MeasuredFactor& factor, int k) {
  const std::string number = fmt::format("interpole_number{}", k);
  std::string possible;
  if (factor.family == Family::kLogNormal) possible = fmt::format(" AND {} > 0", number);
  if (factor.family == Family::kPoisson || factor.family == Family::kNegativeBinomial)
    possible = fmt::format(" AND {0} >= 0 AND {0} = floor({0})", number);
  return fmt::format("coalesce(isfinite({}){}, false)", number, possible);
}

std::optional<double> plain_number(const std::string& cell) {
  double number = 0.0;
  const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (problem != std::errc() || end != cell.data() + cell.size() || !std::isfinite(number)) return {};
  return number;
}

}  // namespace

MappedSql::MappedSql(const Study& study, const LockedTables& tables)
    : study_(study),
      mapping_(*study.mapping),
      from_sql_(!study.mapping->source.sql.empty()),
      stages_(row_stages(mapping_)),
      code_(study, static_cast<int>(stages_.size() + 1 + kBadFactor + mapping_.factors.size())) {
  const auto require = [&](const std::string& column, const std::string& key) {
    require_column(tables, column, fmt::format("{} in {}", key, mapping_.study));
  };
  require(mapping_.record.id, "record.id");
  require(mapping_.record.order, "record.order");
  if (has_times()) require(mapping_.record.time, "record.time");
  require(mapping_.action.column, mapping_.action.by_presence ? "action.present" : "action.column");
  for (std::size_t k = 0; k < mapping_.factors.size(); ++k) {
    require(mapping_.factors[k].column, fmt::format("factors[{}].column", k));
    if (mapping_.factors[k].numeric && mapping_.factors[k].bins.derived())
      derived_.push_back(static_cast<int>(k));
    if (mapping_.factors[k].continuous) continuous_.push_back(static_cast<int>(k));
  }
  for (const std::string& column : mapping_.filters.required) require(column, "filters.required");
  if (!mapping_.group.empty()) require(mapping_.group, "group.column");
  if (mapping_.diagnosis) require(mapping_.diagnosis->column, "labels.column");
}

// The text of a cell, NULL where there is no value.
std::string MappedSql::cell(const std::string& column) const {
  const std::string text = fmt::format("CAST({} AS VARCHAR)", sql_identifier(column));
  std::vector<std::string> codes;
  if (from_sql_) codes = mapping_.source.missing;
  for (const Factor& factor : mapping_.factors) {
    if (factor.column == column) codes.insert(codes.end(), factor.missing.begin(), factor.missing.end());
  }
  const MissingCells missing(codes);
  return from_sql_ ? missing.cleaned_text(text) : missing.without_codes(text);
}

std::string MappedSql::place_sql() const {
  switch (mapping_.record.kind) {
    case OrderKind::kCodes: {
      std::vector<CellMeaning> codes;
      for (const std::string& code : mapping_.record.codes)
        codes.emplace_back(code, static_cast<int>(codes.size()));
      return lookup_sql("interpole_visit", codes, 0) + "::DOUBLE";
    }
    case OrderKind::kNumber:
      return "CASE WHEN isfinite(TRY_CAST(interpole_visit AS DOUBLE)) THEN TRY_CAST(interpole_visit AS "
             "DOUBLE) END";
    case OrderKind::kDate:
      break;
  }
  return "CASE WHEN isfinite(TRY_CAST(interpole_visit AS TIMESTAMP)) "
         "THEN epoch(TRY_CAST(interpole_visit AS TIMESTAMP)) / 86400.0 END";
}

// A number of units, or a date or time of day in them; NULL where it is neither.
std::string MappedSql::time_sql() const {
  const std::string as_number = "TRY_CAST(interpole_time AS DOUBLE)";
  const std::string as_date = "TRY_CAST(interpole_time AS TIMESTAMP)";
  return fmt::format(
      "CASE WHEN {0} IS NOT NULL THEN CASE WHEN isfinite({0}) THEN {0} END WHEN isfinite({1}) THEN "
      "epoch({1}) / {2} END",
      as_number, as_date, number_sql(*model::seconds_of(study_.structure.time->unit)));
}

std::string MappedSql::action_sql() const {
  const ActionRule& rule = mapping_.action;
  if (!rule.by_presence) return lookup_sql("interpole_action_cell", rule.values, 0);
  return fmt::format("CASE WHEN interpole_action_cell IS NULL THEN {} ELSE {} END", rule.if_absent,
                     rule.if_present);
}

// The cells the mapping needs, cleaned, and the study's own expressions.
std::string MappedSql::cells_layer(const std::string& source, const std::string& row) const {
  std::string list =
      fmt::format("{} AS interpole_id, {} AS interpole_visit, {} AS interpole_action_cell",
                  cell(mapping_.record.id), cell(mapping_.record.order), cell(mapping_.action.column));
  for (std::size_t k = 0; k < mapping_.factors.size(); ++k) {
    list += fmt::format(", {} AS interpole_cell{}", cell(mapping_.factors[k].column), k);
  }
  if (has_times()) list += fmt::format(", {} AS interpole_time", cell(mapping_.record.time));
  for (std::size_t i = 0; i < mapping_.filters.required.size(); ++i) {
    list += fmt::format(", {} IS NULL AS interpole_lacks{}", cell(mapping_.filters.required[i]), i);
  }
  const auto condition = [](const std::string& sql) {
    return sql.empty() ? "false" : fmt::format("coalesce(CAST(({}\n) AS BOOLEAN), false)", sql);
  };
  list += fmt::format(
      ", {} AS interpole_wanted, {} AS interpole_ends, {} AS interpole_diagnosis, {} AS interpole_group",
      mapping_.filters.where.empty() ? "true" : condition(mapping_.filters.where),
      condition(mapping_.filters.drop_if_last),
      mapping_.diagnosis ? cell(mapping_.diagnosis->column) : "NULL",
      mapping_.group.empty() ? "NULL" : cell(mapping_.group));
  for (std::size_t i = 0; i < mapping_.covariates.size(); ++i) {
    list += fmt::format(", CAST(({}\n) AS VARCHAR) AS interpole_covariate{}", mapping_.covariates[i].sql, i);
  }
  return fmt::format("(SELECT {}, {} AS interpole_found FROM {})", list, row, source);
}

std::string MappedSql::read_layer(const std::string& cells) const {
  std::string list =
      fmt::format("*, {} AS interpole_place, {} AS interpole_action", place_sql(), action_sql());
  for (std::size_t k = 0; k < mapping_.factors.size(); ++k) {
    const std::string cell = fmt::format("interpole_cell{}", k);
    if (mapping_.factors[k].numeric) {
      list += fmt::format(", TRY_CAST({} AS DOUBLE) AS interpole_number{}", cell, k);
    } else {
      list += fmt::format(", {} AS interpole_level{}", lookup_sql(cell, mapping_.factors[k].values, 1), k);
    }
  }
  return fmt::format("(SELECT {} FROM {})", list, cells);
}

std::string MappedSql::bad_factor_sql(int k) const {
  const Factor& factor = mapping_.factors[k];
  const int actions = study_.structure.action_count();
  // Which action a value came of is known here only if it is the row's own.
  const std::string measured = factor.seen_before ? "true" : action_in(actions, [&](int a) {
    return !study_.structure.is_terminal(a) && factor.yielded(a);
  });
  const std::string good = factor.continuous ? measurable_sql(study_.structure.factors[k], k)
                           : factor.numeric  ? fmt::format("coalesce(isfinite(interpole_number{}), false)", k)
                                             : fmt::format("interpole_level{} IS NOT NULL", k);
  return fmt::format("({} AND interpole_cell{} IS NOT NULL AND NOT {})", measured, k, good);
}

std::string MappedSql::digit_sql(int k, const UsedBins& bins) const {
  const Factor& factor = mapping_.factors[k];
  const int actions = study_.structure.action_count();
  std::string level;
  if (factor.numeric) {
    level = fmt::format("CASE WHEN interpole_number{} IS NULL THEN {}", k, FactorDigit::kMissingValue);
    for (std::size_t i = 0; i < bins.cuts.size(); ++i) {
      // Both ends of mean ± k·SD belong to the middle level.
      const bool inclusive = factor.bins.rule == BinRule::kSpread ? i > 0 : factor.bins.upper_inclusive;
      level += fmt::format(" WHEN interpole_number{} {} {} THEN {}", k, inclusive ? "<=" : "<",
                           number_sql(bins.cuts[i]), FactorDigit::of_level(static_cast<int>(i)));
    }
    level += fmt::format(" ELSE {} END", FactorDigit::of_level(static_cast<int>(bins.cuts.size())));
  } else {
    level = fmt::format("coalesce(interpole_level{}, {})", k, FactorDigit::kMissingValue);
  }
  if (factor.seen_before) return level;
  const std::string terminal = action_in(actions, [&](int a) { return study_.structure.is_terminal(a); });
  const std::string skipped = action_in(actions, [&](int a) { return !factor.yielded(a); });
  return fmt::format(
      "CASE WHEN {} THEN {} WHEN {} THEN CASE WHEN interpole_cell{} IS NULL THEN {} ELSE {} END ELSE {} END",
      terminal, FactorDigit::kMissingValue, skipped, k, FactorDigit::of_level(factor.measured_levels()),
      FactorDigit::ignored_value(factor), level);
}

// Stages in the order of row_stages, then problems.
std::string MappedSql::verdict_sql() const {
  std::vector<std::string> conditions = {"interpole_id IS NULL", "interpole_visit IS NULL"};
  if (mapping_.record.kind == OrderKind::kCodes) conditions.emplace_back("interpole_place IS NULL");
  if (!mapping_.filters.where.empty()) conditions.emplace_back("NOT interpole_wanted");
  for (std::size_t i = 0; i < mapping_.filters.required.size(); ++i) {
    conditions.push_back(fmt::format("interpole_lacks{}", i));
  }
  conditions.emplace_back("interpole_place IS NULL");
  conditions.emplace_back(mapping_.action.by_presence ? "false" : "interpole_action_cell IS NULL");
  conditions.emplace_back("interpole_action IS NULL");
  for (std::size_t k = 0; k < mapping_.factors.size(); ++k)
    conditions.push_back(bad_factor_sql(static_cast<int>(k)));
  std::string sql = "CASE";
  for (std::size_t i = 0; i < conditions.size(); ++i)
    sql += fmt::format(" WHEN {} THEN {}", conditions[i], i + 1);
  return sql + " ELSE 0 END";
}

std::string MappedSql::judged_layer(const std::string& source, const std::vector<UsedBins>& bins,
                                    const std::string& row) const {
  std::string list = fmt::format("*, {} AS interpole_verdict", verdict_sql());
  for (std::size_t k = 0; k < mapping_.factors.size(); ++k) {
    list += fmt::format(", {} AS interpole_digit{}", digit_sql(static_cast<int>(k), bins[k]), k);
  }
  return fmt::format("(SELECT {} FROM {})", list, read_layer(cells_layer(source, row)));
}

std::string MappedSql::query(const std::string& source, const std::vector<UsedBins>& bins, Further further,
                             Ids ids) const {
  std::vector<std::string> digits;
  for (std::size_t k = 0; k < mapping_.factors.size(); ++k)
    digits.push_back(fmt::format("interpole_digit{}", k));
  const std::string diagnosis =
      mapping_.diagnosis
          ? fmt::format("coalesce({}, 0)", lookup_sql("interpole_diagnosis", mapping_.diagnosis->values, 1))
          : "0";
  const bool numbers = ids == Ids::kNumbers;
  std::string list = fmt::format(
      "{0} AS id_number, CASE WHEN CAST({0} AS VARCHAR) = interpole_id THEN NULL {1} END AS id_text, "
      "interpole_place AS place, {2} AS code",
      kWholeNumber,
      numbers ? "WHEN interpole_id IS NOT NULL THEN error('not a number')" : "ELSE interpole_id",
      code_.sql("interpole_verdict", "interpole_action", digits, diagnosis, "interpole_ends"));
  if ((further == Further::kVisits || further == Further::kAll) && names_visits())
    list += ", interpole_visit";
  if (further == Further::kAll) {
    list += ", interpole_group";
    for (std::size_t i = 0; i < mapping_.covariates.size(); ++i)
      list += fmt::format(", interpole_covariate{}", i);
  } else if (further == Further::kValues) {
    for (const int k : derived_) {
      list +=
          fmt::format(", CASE WHEN interpole_digit{0} IN ({1}, {2}) THEN NULL ELSE interpole_number{0} END",
                      k, FactorDigit::of_level(mapping_.factors[k].measured_levels()),
                      FactorDigit::ignored_value(mapping_.factors[k]));
    }
  }
  for (const int k : continuous_) list += fmt::format(", interpole_number{}", k);
  if (has_times()) list += fmt::format(", {}", time_sql());
  return fmt::format("SELECT {} FROM {} ORDER BY id_number NULLS LAST, {}place", list,
                     judged_layer(source, bins, "NULL"), numbers ? "" : "id_text NULLS FIRST, ");
}

bool MappedSql::may_ask_for_order() const {
  std::string expressions = mapping_.filters.where + " " + mapping_.filters.drop_if_last;
  for (const Covariate& covariate : mapping_.covariates) expressions += " " + covariate.sql;
  for (char& c : expressions) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return expressions.find("OVER") != std::string::npos;
}

std::string MappedSql::problem_query(const std::string& source, const std::vector<UsedBins>& bins,
                                     int verdict, const std::string& row) const {
  std::string cell = "interpole_visit";
  if (verdict == problem(kNoAction) || verdict == problem(kUnknownAction)) cell = "interpole_action_cell";
  if (verdict >= problem(kBadFactor)) cell = fmt::format("interpole_cell{}", verdict - problem(kBadFactor));
  return fmt::format(
      "SELECT interpole_id, interpole_visit, {}, CAST(interpole_found AS VARCHAR) FROM {} "
      "WHERE interpole_verdict = {} ORDER BY interpole_found, interpole_id, interpole_visit LIMIT 1",
      cell, judged_layer(source, bins, row), verdict);
}

std::string MappedSql::visit_query(const std::string& source, const std::vector<UsedBins>& bins,
                                   const std::string& id, double place, const std::string& row) const {
  return fmt::format(
      "SELECT interpole_visit, CAST(interpole_found AS VARCHAR) FROM {} WHERE interpole_verdict = 0 AND "
      "interpole_id = {} AND interpole_place = {} ORDER BY interpole_found",
      judged_layer(source, bins, row), sql_text(id), number_sql(place));
}

std::string MappedSql::time_query(const std::string& source, const std::vector<UsedBins>& bins,
                                  const std::string& id, double place, const std::string& row) const {
  return fmt::format(
      "SELECT interpole_visit, CAST(interpole_found AS VARCHAR), interpole_time FROM {} WHERE "
      "interpole_verdict = 0 AND interpole_id = {} AND interpole_place = {}",
      judged_layer(source, bins, row), sql_text(id), number_sql(place));
}

std::string MappedSql::describe_problem(int verdict, const std::string& cell, bool is_null) const {
  if (verdict == problem(kBadPlace)) {
    return fmt::format(
        "column {}: {} is not a {}; correct the cell, or list it under source.missing to leave such "
        "rows out",
        mapping_.record.order, base::shown(cell),
        mapping_.record.kind == OrderKind::kDate ? "date" : "finite number");
  }
  const auto unknown = [&](const std::string& column, const std::string& what,
                           const std::vector<CellMeaning>& meanings) {
    return fmt::format("column {}: {} is not {}{}", column, base::shown(cell), what,
                       base::suggestion(cell, cell_texts(meanings), "the study knows"));
  };
  if (verdict < problem(kBadFactor)) {
    if (!is_null) return unknown(mapping_.action.column, "an action of this study", mapping_.action.values);
    return fmt::format(
        "column {}: the cell is empty; every visit needs an action (list the column under "
        "filters.required to leave such rows out)",
        mapping_.action.column);
  }
  const Factor& factor = mapping_.factors[verdict - problem(kBadFactor)];
  if (!factor.numeric) {
    return unknown(factor.column, fmt::format("a value of factor {}", base::shown(factor.name)),
                   factor.values);
  }
  if (const auto number = plain_number(cell); factor.continuous && number) {
    return fmt::format(
        "column {}: {}", factor.column,
        model::complaint_about(study_.structure.factors[verdict - problem(kBadFactor)], *number));
  }
  return fmt::format(
      "column {}: {} is not a finite number; correct the cell, or list it under missing if it means "
      "that there is no value",
      factor.column, base::shown(cell));
}

}  // namespace interpole::data
