#include "interpole/data/table_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "interpole/base/error.hpp"
#include "interpole/data/duckdb_connection.hpp"
#include "interpole/data/locked_tables.hpp"

namespace interpole {
namespace {

constexpr const char* kTable = "table_to_profile";
constexpr const char* kRows = "\"interpole rows\"";
// Kinds of rows about a column's cells, in the order in which they come.
constexpr const char* kTotals = "1";
constexpr const char* kCoded = "2";
constexpr const char* kPlain = "3";
constexpr const char* kWordCodes = "'NA', 'N/A', 'n/a', 'NaN', 'nan', 'NULL', 'null', '.', '?'";
constexpr const char* kNumberCodes = "-1, -4, -9, -99, -999, -9999, 999, 9999";
constexpr std::int64_t kMostCells = 100'000'000;  // copied; wider tables are looked at in fewer rows
constexpr std::int64_t kFewValues = 4;
constexpr std::int64_t kMostLines = 1000;  // about one column: totals, codes and categories, in one chunk

using TextRows = std::vector<std::vector<std::string>>;

std::int64_t whole(const std::string& text) {
  return std::strtoll(text.c_str(), nullptr, 10);
}

double real(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

TableMapping mapping_of_one_table() {
  TableMapping mapping;
  mapping.source.tables = {kTable};
  return mapping;
}

// Of a cell that may be a code, whether it is one, given the column's other values. Outside the range of
// what is measured, it is; among a handful of whole numbers, -1 may well be meant.
bool means_missing(const std::string& code, const ColumnProfile& others) {
  char* end = nullptr;
  const double number = std::strtod(code.c_str(), &end);
  if (*end != '\0' || !std::isfinite(number)) return true;
  if (others.filled == 0) return false;
  if (others.numbers < others.filled) return true;
  if (number > 0.0) return others.maximum < number / 2.0;
  return others.minimum >= 0.0 && (number != -1.0 || others.distinct >= kFewValues);
}

void add_back(const CellCount& cell, ColumnProfile& column) {
  const double number = real(cell.text);
  column.minimum = column.numbers == 0 ? number : std::min(column.minimum, number);
  column.maximum = column.numbers == 0 ? number : std::max(column.maximum, number);
  column.filled += cell.rows;
  column.numbers += cell.rows;
  ++column.distinct;
  column.meant_codes.push_back(cell.text);
  if (cell.rows >= ProfiledTable::kCommon) column.categories.push_back(cell);
}

// One query about a column: totals of all cells that cannot be codes, those that may be, and common ones.
std::string cells_query(const std::string& column, ProfiledTable::Codes codes) {
  const std::string coded =
      codes == ProfiledTable::Codes::kIgnore
          ? "false"
          : fmt::format("(cell IN ({}) OR coalesce(number IN ({}), false))", kWordCodes, kNumberCodes);
  return fmt::format(
      "WITH cells AS MATERIALIZED (SELECT *, {0} AS coded FROM (SELECT {1} AS cell, count(*) AS n, "
      "TRY_CAST({1} AS DOUBLE) AS number FROM {2} WHERE {1} IS NOT NULL GROUP BY {1})) "
      "SELECT kind, cell, n::BIGINT::VARCHAR, distinct_cells::VARCHAR, numbers::BIGINT::VARCHAR, "
      "dates::BIGINT::VARCHAR, minimum::VARCHAR, maximum::VARCHAR FROM ("
      "SELECT {3} AS kind, NULL AS cell, coalesce(sum(n), 0) AS n, count(*) AS distinct_cells, "
      "coalesce(sum(n) FILTER (isfinite(number)), 0) AS numbers, "
      "coalesce(sum(n) FILTER (TRY_CAST(cell AS TIMESTAMP) IS NOT NULL), 0) AS dates, "
      "min(number) FILTER (isfinite(number)) AS minimum, max(number) FILTER (isfinite(number)) AS maximum "
      "FROM cells WHERE NOT coded "
      "UNION ALL SELECT {4}, cell, n, NULL, NULL, NULL, NULL, NULL FROM cells WHERE coded "
      "UNION ALL SELECT {5}, cell, n, NULL, NULL, NULL, NULL, NULL FROM cells WHERE NOT coded AND n >= {6}"
      ") ORDER BY kind, n DESC, cell LIMIT {7}",
      coded, column, kRows, sql_text(kTotals), sql_text(kCoded), sql_text(kPlain), ProfiledTable::kCommon,
      kMostLines);
}

void read_totals(const std::vector<std::string>& row, ColumnProfile& profile) {
  profile.filled = whole(row[2]);
  profile.distinct = whole(row[3]);
  profile.numbers = whole(row[4]);
  profile.dates = whole(row[5]);
  profile.minimum = real(row[6]);
  profile.maximum = real(row[7]);
}

std::string without_codes(const std::string& column, const std::vector<CellCount>& codes) {
  if (codes.empty()) return column;
  std::string list;
  for (const CellCount& code : codes) list += (list.empty() ? "" : ", ") + sql_text(code.text);
  return fmt::format("(CASE WHEN {0} IN ({1}) THEN NULL ELSE {0} END)", column, list);
}

}  // namespace

std::int64_t ColumnProfile::rare() const {
  std::int64_t common = 0;
  for (const CellCount& category : categories) common += category.rows;
  return filled - common;
}

const ColumnProfile* TableProfile::find(const std::string& name) const {
  const auto it = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
  return it == columns.end() ? nullptr : &*it;
}

struct ProfiledTable::Implementation {
  LockedTables tables;

  explicit Implementation(const std::string& path) : tables(mapping_of_one_table(), data_file(path)) {}

  TextRows rows(const std::string& sql, std::size_t columns) const { return tables.first_rows(sql, columns); }
  std::int64_t count(const std::string& sql) const { return whole(rows(sql, 1).at(0).at(0)); }
  void run(const std::string& sql) const { DuckdbQuery(tables.connection(), sql, tables.files()).fetch(); }

  // Columns are numbered c0, c1, … in the copy. SQL for a cell, NULL where a code says so: changing the copy
  // instead takes long in wide tables.
  std::string cell(const std::string& column) const {
    const auto& names = tables.columns();
    return cells.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin()));
  }

  void copy_rows(std::int64_t most) const {
    std::string list;
    for (std::size_t i = 0; i < tables.columns().size(); ++i) {
      list += fmt::format("{}CAST({} AS VARCHAR) AS c{}", i == 0 ? "" : ", ",
                          sql_identifier(tables.columns()[i]), i);
    }
    run(fmt::format("CREATE TEMP TABLE {} AS SELECT {} FROM {} LIMIT {}", kRows, list, tables.source(),
                    most));
  }

  ColumnProfile profile_column(const std::string& name, Codes codes) {
    const std::string column = fmt::format("c{}", cells.size());
    ColumnProfile profile;
    profile.name = name;
    std::vector<CellCount> coded;
    for (const auto& row : rows(cells_query(column, codes), 8)) {
      if (row[0] == kTotals) {
        read_totals(row, profile);
      } else if (row[0] == kCoded) {
        coded.push_back({row[1], whole(row[2])});
      } else if (profile.distinct <= kMostCategories) {
        profile.categories.push_back({row[1], whole(row[2])});
      }
    }
    for (const CellCount& code : coded) {
      means_missing(code.text, profile) ? profile.missing_codes.push_back(code) : add_back(code, profile);
    }
    cells.push_back(without_codes(column, profile.missing_codes));
    return profile;
  }

  std::vector<std::string> cells;  // [column] SQL
};

ProfiledTable::ProfiledTable(const std::string& path, Codes codes)
    : implementation_(std::make_unique<Implementation>(path)) {
  const std::vector<std::string>& names = implementation_->tables.columns();
  const std::int64_t most =
      std::clamp<std::int64_t>(kMostCells / static_cast<std::int64_t>(names.size()), 1, kMostRows);
  implementation_->copy_rows(most);
  profile_.rows = implementation_->count(fmt::format("SELECT count(*)::VARCHAR FROM {}", kRows));
  profile_.whole = profile_.rows < most;
  for (const std::string& name : names)
    profile_.columns.push_back(implementation_->profile_column(name, codes));
}

ProfiledTable::~ProfiledTable() = default;

std::int64_t ProfiledTable::repeated(const std::string& id, const std::string& order) const {
  return implementation_->count(
      fmt::format("SELECT coalesce(sum(n - 1), 0)::BIGINT::VARCHAR FROM (SELECT count(*) AS n FROM {0} WHERE "
                  "{1} IS NOT NULL "
                  "AND {2} IS NOT NULL GROUP BY {1}, {2})",
                  kRows, implementation_->cell(id), implementation_->cell(order)));
}

std::int64_t ProfiledTable::varies_within(const std::string& column, const std::string& id) const {
  return implementation_->count(fmt::format(
      "SELECT count(*)::VARCHAR FROM (SELECT 1 FROM {0} WHERE {1} IS NOT NULL GROUP BY {1} HAVING "
      "min({2}) <> max({2}))",
      kRows, implementation_->cell(id), implementation_->cell(column)));
}

std::vector<std::pair<std::int64_t, std::int64_t>> ProfiledTable::filled_by(
    const std::string& column, const std::string& given, const std::vector<std::string>& cells) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> counts;
  for (const std::string& cell : cells) {
    const auto row = implementation_->rows(
        fmt::format("SELECT count(*)::VARCHAR, count({})::VARCHAR FROM {} WHERE {} = {}",
                    implementation_->cell(column), kRows, implementation_->cell(given), sql_text(cell)),
        2);
    counts.emplace_back(whole(row[0][0]), whole(row[0][1]));
  }
  return counts;
}

bool ProfiledTable::quantiles_separate(const std::string& column, const std::vector<double>& shares) const {
  std::string level = "0";
  for (std::size_t i = 0; i < shares.size(); ++i)
    level += fmt::format(" + (number > cuts[{}])::INTEGER", i + 1);
  return implementation_->count(fmt::format(
             "WITH numbers AS (SELECT number FROM (SELECT TRY_CAST({} AS DOUBLE) AS number FROM {}) WHERE "
             "isfinite(number)) SELECT count(DISTINCT {})::VARCHAR FROM numbers, (SELECT "
             "quantile_cont(number, "
             "[{}]) AS cuts FROM numbers)",
             implementation_->cell(column), kRows, level, fmt::join(shares, ", "))) ==
         static_cast<std::int64_t>(shares.size()) + 1;
}

std::int64_t ProfiledTable::goes_on_after(const std::string& action) const {
  return implementation_->count(fmt::format(
      "SELECT count(*)::VARCHAR FROM (SELECT {0} AS action, {1} AS observation, TRY_CAST({2} AS "
      "DOUBLE) AS step, max(TRY_CAST({2} AS DOUBLE)) OVER (PARTITION BY {3}) AS last FROM {4}) WHERE "
      "action = {5} AND (observation IS NOT NULL OR step < last)",
      implementation_->cell("action"), implementation_->cell("observation"), implementation_->cell("step"),
      implementation_->cell("patient"), kRows, sql_text(action)));
}

}  // namespace interpole
