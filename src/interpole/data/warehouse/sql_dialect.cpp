#include "interpole/data/warehouse/sql_dialect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "interpole/data/warehouse/sql_words.hpp"
#include "interpole/data_files.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

using Kind = SqlDialect::Kind;

const std::array<std::string, 7> kDialects = {"duckdb",    "postgres", "spark",     "bigquery",
                                              "snowflake", "trino",    "clickhouse"};

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return result;
}

// With every `from` written as `to`.
std::string replaced(std::string_view text, char from, std::string_view to) {
  std::string result;
  for (const char c : text) result += c == from ? std::string(to) : std::string(1, c);
  return result;
}

}  // namespace

SqlDialect SqlDialect::named(const std::string& name) {
  const auto found = std::find(kDialects.begin(), kDialects.end(), name);
  if (found == kDialects.end()) {
    throw usage_error(fmt::format("option dialect: \"{}\" is not known; choose one of {}", name,
                                  fmt::join(kDialects, ", ")));
  }
  return SqlDialect(static_cast<Kind>(found - kDialects.begin()));
}

std::span<const std::string> SqlDialect::names() {
  return kDialects;
}

const std::string& SqlDialect::name() const {
  return kDialects[static_cast<std::size_t>(kind_)];
}

std::string SqlDialect::text(std::string_view text) const {
  const bool escapes = !is(Kind::kDuckdb) && !is(Kind::kPostgres) && !is(Kind::kTrino);
  const bool doubles = !is(Kind::kSpark) && !is(Kind::kBigquery);
  std::string inside = escapes ? replaced(text, '\\', "\\\\") : std::string(text);
  inside = replaced(inside, '\'', doubles ? "''" : "\\'");
  if (escapes) inside = replaced(inside, '\n', "\\n");
  return "'" + inside + "'";
}

std::string SqlDialect::number(double number) const {
  const std::string digits = fmt::format("{}", number);
  return fmt::format("CAST({} AS {})", text(digits), type("DOUBLE"));
}

bool SqlDialect::quotes_by_backtick() const {
  return is(Kind::kSpark) || is(Kind::kBigquery) || is(Kind::kClickhouse);
}

std::string SqlDialect::quoted(std::string_view name) const {
  if (!quotes_by_backtick()) return "\"" + replaced(name, '"', "\"\"") + "\"";
  if (is(Kind::kSpark)) return "`" + replaced(name, '`', "``") + "`";
  return "`" + replaced(replaced(name, '\\', "\\\\"), '`', "\\`") + "`";
}

std::string SqlDialect::column(std::string_view name) const {
  if (is_table_name(name) && !is_sql_word(name)) return std::string(name);
  // What was created without quotes is in capitals there.
  return quoted(is(Kind::kSnowflake) && is_table_name(name) ? upper(name) : name);
}

std::string SqlDialect::alias(std::string_view name) const {
  return quoted(name);
}

std::string SqlDialect::table(const std::string& name) const {
  std::string sql;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    const bool plain = !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
      return is_table_name({&c, 1}) || (c >= '0' && c <= '9') || c == '-';
    });
    if (!plain) {
      throw usage_error(
          fmt::format("option table: \"{}\" is not the name of a table; write table, schema.table or "
                      "project.schema.table, of letters, digits, _ and -",
                      name));
    }
    sql += (sql.empty() ? "" : ".") + column(part);
    begin = end + 1;
  }
  return sql;
}

std::string SqlDialect::type(std::string_view duckdb_type) const {
  static const std::map<std::string, std::string, std::less<>> kFamilies = {
      {"DOUBLE", "number"}, {"FLOAT8", "number"}, {"INTEGER", "whole"},
      {"INT", "whole"},     {"BIGINT", "whole"},  {"SMALLINT", "whole"},
      {"VARCHAR", "text"},  {"TEXT", "text"},     {"STRING", "text"}};
  const auto family = kFamilies.find(upper(duckdb_type));
  if (family == kFamilies.end()) return "";
  const bool number = family->second == "number";
  const bool whole = family->second == "whole";
  switch (kind_) {
    case Kind::kDuckdb:
    case Kind::kTrino:
    case Kind::kSnowflake:
      return number ? "DOUBLE" : whole ? "BIGINT" : "VARCHAR";
    case Kind::kPostgres:
      return number ? "DOUBLE PRECISION" : whole ? "BIGINT" : "TEXT";
    case Kind::kSpark:
      return number ? "DOUBLE" : whole ? "BIGINT" : "STRING";
    case Kind::kBigquery:
      return number ? "FLOAT64" : whole ? "INT64" : "STRING";
    case Kind::kClickhouse:
      break;
  }
  return number ? "Nullable(Float64)" : whole ? "Nullable(Int64)" : "Nullable(String)";
}

std::string SqlDialect::as_text(const std::string& expression) const {
  return fmt::format("CAST({} AS {})", expression, type("VARCHAR"));
}

std::string SqlDialect::as_whole_number(const std::string& expression) const {
  return fmt::format("CAST({} AS {})", expression, type("BIGINT"));
}

std::string SqlDialect::as_number(const std::string& text) const {
  switch (kind_) {
    case Kind::kPostgres:
      return fmt::format(
          "CASE WHEN {0} ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$' "
          "THEN CAST({0} AS DOUBLE PRECISION) END",
          text);
    case Kind::kBigquery:
      return fmt::format("SAFE_CAST({} AS FLOAT64)", text);
    case Kind::kClickhouse:
      return fmt::format("toFloat64OrNull({})", text);
    default:
      return fmt::format("TRY_CAST({} AS DOUBLE)", text);
  }
}

std::string SqlDialect::as_days(const std::string& text) const {
  switch (kind_) {
    case Kind::kDuckdb:
      return fmt::format("epoch(TRY_CAST({} AS TIMESTAMP)) / 86400.0", text);
    case Kind::kPostgres:
      return fmt::format(
          "CAST(EXTRACT(EPOCH FROM CAST({} AS TIMESTAMP)) AS DOUBLE PRECISION) / "
          "CAST(86400 AS DOUBLE PRECISION)",
          text);
    case Kind::kSpark:
      return fmt::format("CAST(TRY_CAST({} AS TIMESTAMP) AS DOUBLE) / 86400.0D", text);
    case Kind::kBigquery:
      return fmt::format("UNIX_MICROS(SAFE_CAST({} AS TIMESTAMP)) / 86400000000.0", text);
    case Kind::kSnowflake:
      return fmt::format(
          "CAST(DATE_PART(EPOCH_MICROSECOND, TRY_TO_TIMESTAMP_NTZ({})) AS DOUBLE) / 86400000000.0", text);
    case Kind::kTrino:
      return fmt::format("to_unixtime(with_timezone(TRY_CAST({} AS TIMESTAMP), 'UTC')) / 86400.0", text);
    case Kind::kClickhouse:
      break;
  }
  return fmt::format("toUnixTimestamp64Micro(parseDateTime64BestEffortOrNull({}, 6, 'UTC')) / 86400000000.0",
                     text);
}

std::string SqlDialect::neighbour(const char* function, const std::string& expression,
                                  const std::string& record, const std::string& by) const {
  // ClickHouse gives a zero where there is no row, unless the type can be NULL.
  if (is(Kind::kClickhouse)) {
    return fmt::format(
        "{}InFrame(toNullable({})) OVER (PARTITION BY {} ORDER BY {} ROWS BETWEEN UNBOUNDED PRECEDING AND "
        "UNBOUNDED FOLLOWING)",
        function, expression, record, by);
  }
  return fmt::format("{}({}) OVER (PARTITION BY {} ORDER BY {})", function, expression, record, by);
}

std::string SqlDialect::lag(const std::string& expression, const std::string& record,
                            const std::string& by) const {
  return neighbour(is(Kind::kClickhouse) ? "lag" : "LAG", expression, record, by);
}

std::string SqlDialect::lead(const std::string& expression, const std::string& record,
                             const std::string& by) const {
  return neighbour(is(Kind::kClickhouse) ? "lead" : "LEAD", expression, record, by);
}

// Aggregates that collect keep no order of their own: they are told one, or what they collect is sorted.
SqlDialect::OrderedSteps SqlDialect::ordered_steps(const std::string& place, const std::string& code,
                                                   std::int64_t codes, const std::string& steps_column,
                                                   const std::string& ties_column) const {
  OrderedSteps ordered;
  ordered.ties = fmt::format("CASE WHEN COUNT(*) <> COUNT(DISTINCT {}) THEN 1 ELSE 0 END", place);
  ordered.sequence = steps_column;
  ordered.has_ties = fmt::format("{} = 1", ties_column);
  const std::string code_text = as_text(code);
  switch (kind_) {
    case Kind::kDuckdb:
      // Place and code in one number: sorting lists of numbers is four times as fast as an ordered aggregate.
      ordered.steps = fmt::format("list_sort(list({} * {} + {}))", place, codes, code);
      ordered.ties = "0";
      ordered.sequence =
          fmt::format("array_to_string([(x % {0} + {0}) % {0} for x in {1}], ' ')", codes, steps_column);
      ordered.has_ties = fmt::format("len({1}) <> list_unique([x - (x % {0} + {0}) % {0} for x in {1}])",
                                     codes, steps_column);
      break;
    case Kind::kPostgres:
    case Kind::kBigquery:
      ordered.steps = fmt::format("STRING_AGG({}, ' ' ORDER BY {})", code_text, place);
      break;
    case Kind::kSnowflake:
      ordered.steps = fmt::format("LISTAGG({}, ' ') WITHIN GROUP (ORDER BY {})", code_text, place);
      break;
    case Kind::kTrino:
      ordered.steps = fmt::format("ARRAY_JOIN(ARRAY_AGG({} ORDER BY {}), ' ')", code_text, place);
      break;
    case Kind::kSpark:
      ordered.steps = fmt::format(
          "ARRAY_JOIN(TRANSFORM(ARRAY_SORT(COLLECT_LIST(STRUCT({} AS p, {} AS c))), x -> x.c), ' ')", place,
          code_text);
      break;
    case Kind::kClickhouse:
      // groupArray leaves NULLs out; a pair is never one.
      ordered.steps = fmt::format(
          "arrayStringConcat(arrayMap(x -> toString(x.2), arraySort(groupArray((ifNull({}, 0), ifNull({}, "
          "0))))), ' ')",
          place, code);
      break;
  }
  return ordered;
}

}  // namespace interpole::data
