#include "interpole/data/draft/table_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "interpole/data/locked_sql/locked_tables.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
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
constexpr std::int64_t kMostLines = 1000;        // about one column: totals, codes and categories
constexpr std::int64_t kBlockCells = 2'000'000;  // looked at by one query
constexpr std::int64_t kMostInBlock = 100;       // columns

using TextRows = std::vector<std::vector<std::string>>;

std::int64_t whole(const std::string& text) {
  return std::strtoll(text.c_str(), nullptr, 10);
}

double real(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

TableMapping mapping_of_one_table(const SourceTables& source) {
  TableMapping mapping;
  mapping.source = source;
  if (mapping.source.tables.empty()) mapping.source.tables = {kTable};
  mapping.study = "the draft";
  return mapping;
}

std::string with_cell(std::string sql, const std::string& cell) {
  for (std::size_t at = sql.find("{}"); at != std::string::npos; at = sql.find("{}", at + cell.size())) {
    sql.replace(at, 2, cell);
  }
  return sql;
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

// Columns begin … end − 1 of the copy.
struct Block {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// `piece(column)` for each column of a block, with commas between.
template <class Piece>
std::string listed(const Block& block, const Piece& piece) {
  std::string list;
  for (std::size_t i = block.begin; i < block.end; ++i) list += (list.empty() ? "" : ", ") + piece(i);
  return list;
}

// One query about a block of columns: for each, totals of all cells that cannot be codes, those that may be,
// and common ones. Asking about one column at a time takes minutes in a table of two thousand.
std::string cells_query(const Block& block, ProfiledTable::Codes codes) {
  const std::string coded =
      codes == ProfiledTable::Codes::kIgnore
          ? "false"
          : fmt::format("(cell IN ({}) OR coalesce(number IN ({}), false))", kWordCodes, kNumberCodes);
  return fmt::format(
      "WITH cells AS MATERIALIZED (SELECT *, {0} AS coded FROM (SELECT k, cell, count(*) AS n, "
      "TRY_CAST(cell AS DOUBLE) AS number FROM (SELECT unnest([{1}]) AS k, unnest([{2}]) AS cell FROM {3}) "
      "WHERE cell IS NOT NULL GROUP BY k, cell)) "
      "SELECT k::VARCHAR, kind, cell, n::BIGINT::VARCHAR, distinct_cells::VARCHAR, numbers::BIGINT::VARCHAR, "
      "dates::BIGINT::VARCHAR, minimum::VARCHAR, maximum::VARCHAR FROM ("
      "SELECT k, {4} AS kind, NULL AS cell, sum(n) AS n, count(*) AS distinct_cells, "
      "coalesce(sum(n) FILTER (isfinite(number)), 0) AS numbers, "
      "coalesce(sum(n) FILTER (number IS NULL AND TRY_CAST(cell AS TIMESTAMP) IS NOT NULL), 0) AS dates, "
      "min(number) FILTER (isfinite(number)) AS minimum, max(number) FILTER (isfinite(number)) AS maximum "
      "FROM cells WHERE NOT coded GROUP BY k "
      "UNION ALL SELECT k, {5}, cell, n, NULL, NULL, NULL, NULL, NULL FROM cells WHERE coded "
      "UNION ALL SELECT k, {6}, cell, n, NULL, NULL, NULL, NULL, NULL FROM cells WHERE NOT coded AND n >= {7}"
      ") QUALIFY row_number() OVER (PARTITION BY k ORDER BY kind, n DESC, cell) <= {8} "
      "ORDER BY k, kind, n DESC, cell",
      coded, listed(block, [](std::size_t i) { return std::to_string(i); }),
      listed(block, [](std::size_t i) { return fmt::format("c{}", i); }), kRows, sql_text(kTotals),
      sql_text(kCoded), sql_text(kPlain), ProfiledTable::kCommon, kMostLines);
}

// For each column of a block, given as SQL, the cells that enough ids share.
std::string shared_query(const Block& block, const std::vector<std::string>& cells, const std::string& id,
                         std::int64_t common) {
  return fmt::format(
      "SELECT k::VARCHAR, cell, n::VARCHAR FROM (SELECT k, cell, count(*) AS n FROM (SELECT unnest([{}]) AS "
      "k, "
      "unnest([{}]) AS cell, {} AS id FROM {}) WHERE cell IS NOT NULL AND id IS NOT NULL GROUP BY k, cell "
      "HAVING "
      "count(*) >= {} AND count(DISTINCT id) >= {}) ORDER BY k, n DESC, cell",
      listed(block, [](std::size_t i) { return std::to_string(i); }),
      listed(block, [&](std::size_t i) { return cells[i]; }), id, kRows, common, common);
}

// For each column of a block, given as SQL, how many ids come with more than one value of it.
std::string varies_query(const Block& block, const std::vector<std::string>& cells, const std::string& id) {
  return fmt::format(
      "SELECT {} FROM (SELECT {} FROM {} WHERE {} IS NOT NULL GROUP BY {})",
      listed(block, [](std::size_t i) { return fmt::format("coalesce(sum(v{}), 0)::BIGINT::VARCHAR", i); }),
      listed(
          block,
          [&](std::size_t i) { return fmt::format("(min({0}) <> max({0}))::INTEGER AS v{1}", cells[i], i); }),
      kRows, id, id);
}

// For each column of a block, how many levels cuts at these quantiles of its numbers make.
std::string levels_query(const Block& block, const std::vector<std::string>& cells,
                         const std::vector<double>& shares) {
  // Of the levels between and beyond the cuts, those that hold a number; cheaper than counting distinct ones.
  const auto levels = [&](std::size_t i) {
    std::string sum = "0";
    for (std::size_t k = 0; k <= shares.size(); ++k) {
      const std::string above = k == 0 ? "true" : fmt::format("n{0} > q{0}[{1}]", i, k);
      const std::string below = k == shares.size() ? "true" : fmt::format("n{0} <= q{0}[{1}]", i, k + 1);
      sum +=
          fmt::format(" + coalesce(bool_or(n{} IS NOT NULL AND {} AND {}), false)::INTEGER", i, above, below);
    }
    return fmt::format("({})::VARCHAR", sum);
  };
  return fmt::format(
      "WITH numbers AS (SELECT {} FROM (SELECT {} FROM {})) SELECT {} FROM numbers, (SELECT {} FROM numbers)",
      listed(block,
             [](std::size_t i) { return fmt::format("CASE WHEN isfinite(t{0}) THEN t{0} END AS n{0}", i); }),
      listed(block, [&](std::size_t i) { return fmt::format("TRY_CAST({} AS DOUBLE) AS t{}", cells[i], i); }),
      kRows, listed(block, levels), listed(block, [&](std::size_t i) {
        return fmt::format("quantile_cont(n{0}, [{1}]) AS q{0}", i, fmt::join(shares, ", "));
      }));
}

void read_totals(const std::vector<std::string>& row, ColumnProfile& profile) {
  profile.filled = whole(row[3]);
  profile.distinct = whole(row[4]);
  profile.numbers = whole(row[5]);
  profile.dates = whole(row[6]);
  profile.minimum = real(row[7]);
  profile.maximum = real(row[8]);
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
  TableMapping mapping;
  LockedTables tables;

  Implementation(const std::string& path, const SourceTables& source)
      : mapping(mapping_of_one_table(source)), tables(mapping, data_file(path)) {}

  TextRows rows(const std::string& sql, std::size_t columns) const {
    DuckdbQuery query(tables.connection(), sql, tables.files());
    TextRows result;
    std::vector<Cell> column;
    while (const duckdb_data_chunk chunk = query.fetch()) {
      const std::size_t first = result.size();
      result.resize(first + duckdb_data_chunk_get_size(chunk));
      for (std::size_t i = 0; i < columns; ++i) {
        copy_cells(chunk, i, column);
        for (std::size_t row = 0; row < column.size(); ++row)
          result[first + row].emplace_back(column[row].text);
      }
    }
    return result;
  }
  std::int64_t count(const std::string& sql) const { return whole(rows(sql, 1).at(0).at(0)); }
  void run(const std::string& sql) const { DuckdbQuery(tables.connection(), sql, tables.files()).fetch(); }

  // Columns are numbered c0, c1, … in the copy. SQL for a cell, NULL where a code says so: changing the copy
  // instead takes long in wide tables.
  std::size_t index_of(const std::string& column) const {
    const auto& names = tables.columns();
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  }
  std::string cell(const std::string& column) const { return cells.at(index_of(column)); }

  // The columns that are asked about together with this one.
  Block block_of(std::size_t column) const {
    const std::size_t begin = column / block_size * block_size;
    return {begin, std::min(begin + block_size, tables.columns().size())};
  }

  // The answer to a question about a column; it is put for the whole block, once.
  template <class Query>
  std::int64_t ask(const std::string& question, const std::string& column, const Query& query) {
    const std::size_t index = index_of(column);
    const Block block = block_of(index);
    auto& answers = asked[{question, block.begin}];
    if (answers.empty()) answers = rows(query(block), block.end - block.begin).at(0);
    return whole(answers[index - block.begin]);
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

  std::vector<ColumnProfile> profile_columns(const Block& block, Codes codes) {
    std::vector<ColumnProfile> profiles(block.end - block.begin);
    std::vector<std::vector<CellCount>> coded(profiles.size());
    for (const auto& row : rows(cells_query(block, codes), 9)) {
      const std::size_t at = static_cast<std::size_t>(whole(row[0])) - block.begin;
      if (row[1] == kTotals) {
        read_totals(row, profiles[at]);
      } else if (row[1] == kCoded) {
        coded[at].push_back({row[2], whole(row[3])});
      } else if (profiles[at].distinct <= kMostCategories) {
        profiles[at].categories.push_back({row[2], whole(row[3])});
      }
    }
    for (std::size_t at = 0; at < profiles.size(); ++at) {
      ColumnProfile& profile = profiles[at];
      profile.name = tables.columns()[block.begin + at];
      for (const CellCount& code : coded[at]) {
        means_missing(code.text, profile) ? profile.missing_codes.push_back(code) : add_back(code, profile);
      }
      cells.push_back(without_codes(fmt::format("c{}", block.begin + at), profile.missing_codes));
    }
    return profiles;
  }

  std::size_t block_size = 1;
  std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> asked;  // [question, block]
  std::vector<std::string> cells;                                                 // [column] SQL
};

ProfiledTable::ProfiledTable(const std::string& path, Codes codes, const SourceTables& source)
    : implementation_(std::make_unique<Implementation>(path, source)) {
  const std::vector<std::string>& names = implementation_->tables.columns();
  const std::int64_t most =
      std::clamp<std::int64_t>(kMostCells / static_cast<std::int64_t>(names.size()), 1, kMostRows);
  implementation_->copy_rows(most);
  profile_.rows = implementation_->count(fmt::format("SELECT count(*)::VARCHAR FROM {}", kRows));
  profile_.whole = profile_.rows < most;
  implementation_->block_size = static_cast<std::size_t>(
      std::clamp<std::int64_t>(kBlockCells / std::max<std::int64_t>(profile_.rows, 1), 1, kMostInBlock));
  const std::vector<std::string>& nested = implementation_->tables.nested_columns();
  for (std::size_t begin = 0; begin < names.size(); begin += implementation_->block_size) {
    for (ColumnProfile& column : implementation_->profile_columns(implementation_->block_of(begin), codes)) {
      // Lists and objects are nothing a study could name.
      if (std::find(nested.begin(), nested.end(), column.name) == nested.end())
        profile_.columns.push_back(std::move(column));
    }
  }
}

ProfiledTable::~ProfiledTable() = default;

void ProfiledTable::keep_shared_by(const std::string& id) {
  const std::int64_t ids = implementation_->count(
      fmt::format("SELECT count(DISTINCT {})::VARCHAR FROM {}", implementation_->cell(id), kRows));
  common_ = ids < kFewIds ? kCommonOfFew : kCommon;
  for (ColumnProfile& column : profile_.columns) column.categories.clear();
  const std::vector<std::string>& names = implementation_->tables.columns();
  const auto profile_of = [&](std::size_t column) {
    const auto found =
        std::find_if(profile_.columns.begin(), profile_.columns.end(),
                     [&](const ColumnProfile& profile) { return profile.name == names[column]; });
    return found == profile_.columns.end() ? nullptr : &*found;
  };
  for (std::size_t begin = 0; begin < names.size(); begin += implementation_->block_size) {
    const std::string query = shared_query(implementation_->block_of(begin), implementation_->cells,
                                           implementation_->cell(id), common_);
    for (const auto& row : implementation_->rows(query, 3)) {
      ColumnProfile* column = profile_of(static_cast<std::size_t>(whole(row[0])));
      if (column == nullptr || column->distinct > kMostCategories) continue;
      column->categories.push_back({row[1], whole(row[2])});
    }
  }
}

std::int64_t ProfiledTable::repeated(const std::vector<std::string>& columns) const {
  std::string list, filled;
  for (const std::string& column : columns) {
    const std::string cell = implementation_->cell(column);
    list += (list.empty() ? "" : ", ") + cell;
    filled += fmt::format("{}{} IS NOT NULL", filled.empty() ? "" : " AND ", cell);
  }
  return implementation_->count(
      fmt::format("SELECT coalesce(sum(n - 1), 0)::BIGINT::VARCHAR FROM (SELECT count(*) AS n FROM {} WHERE "
                  "{} GROUP BY {})",
                  kRows, filled, list));
}

std::int64_t ProfiledTable::varies_within(const std::string& column,
                                          const std::vector<std::string>& within) const {
  std::string list;
  for (const std::string& name : within) list += (list.empty() ? "" : ", ") + implementation_->cell(name);
  return implementation_->count(fmt::format(
      "SELECT count(*)::VARCHAR FROM (SELECT 1 FROM {0} GROUP BY {1} HAVING min({2}) <> max({2}))", kRows,
      list, implementation_->cell(column)));
}

std::vector<std::int64_t> ProfiledTable::matching(const std::string& column,
                                                  const std::vector<std::string>& conditions) const {
  std::string list;
  for (const std::string& condition : conditions) {
    list += fmt::format("{}count(*) FILTER ({})::VARCHAR", list.empty() ? "" : ", ",
                        with_cell(condition, implementation_->cell(column)));
  }
  const auto found = implementation_->rows(
      fmt::format("SELECT {} FROM {} WHERE {} IS NOT NULL", list, kRows, implementation_->cell(column)),
      conditions.size());
  std::vector<std::int64_t> counts;
  for (const std::string& count : found.at(0)) counts.push_back(whole(count));
  return counts;
}

std::int64_t ProfiledTable::ascending(const std::string& id, const std::string& column,
                                      const std::string& value) const {
  return implementation_->count(fmt::format(
      "SELECT count(*) FILTER (v > before)::VARCHAR FROM (SELECT v, lag(v) OVER (PARTITION BY id ORDER BY n) "
      "AS before FROM (SELECT {} AS id, {} AS v, row_number() OVER () AS n FROM {}))",
      implementation_->cell(id), with_cell(value, implementation_->cell(column)), kRows));
}

std::int64_t ProfiledTable::varies_within(const std::string& column, const std::string& id) const {
  return implementation_->ask("varies within " + id, column, [&](const Block& block) {
    return varies_query(block, implementation_->cells, implementation_->cell(id));
  });
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
  const std::int64_t levels = implementation_->ask(
      fmt::format("levels {}", fmt::join(shares, ", ")), column,
      [&](const Block& block) { return levels_query(block, implementation_->cells, shares); });
  return levels == static_cast<std::int64_t>(shares.size()) + 1;
}

Histogram ProfiledTable::histogram(const std::string& column, int bins) const {
  const std::string numbers = fmt::format(
      "(SELECT number FROM (SELECT TRY_CAST({} AS DOUBLE) AS number FROM {}) WHERE isfinite(number))",
      implementation_->cell(column), kRows);
  const auto range = implementation_->rows(
      fmt::format("SELECT coalesce(quantile_cont(number, 0.01), 0)::VARCHAR, coalesce(quantile_cont(number, "
                  "0.99), 0)::VARCHAR FROM {}",
                  numbers),
      2);
  Histogram histogram{real(range[0][0]), real(range[0][1]),
                      std::vector<std::int64_t>(static_cast<std::size_t>(bins))};
  const double width = (histogram.high - histogram.low) / bins;
  const std::string bin = width > 0.0
                              ? fmt::format("floor(least(greatest((number - {}) / {}, 0), {}))::INTEGER",
                                            histogram.low, width, bins - 1)
                              : "0";
  const std::string query = fmt::format(
      "SELECT bin::VARCHAR, count(*)::VARCHAR FROM (SELECT {} AS bin FROM {}) GROUP BY bin", bin, numbers);
  for (const auto& row : implementation_->rows(query, 2))
    histogram.counts[static_cast<std::size_t>(whole(row[0]))] = whole(row[1]);
  return histogram;
}

std::vector<double> ProfiledTable::aggregates(const std::string& column,
                                              const std::vector<std::string>& sql) const {
  std::string list;
  for (const std::string& aggregate : sql) {
    list += fmt::format("{}coalesce({}, 0)::DOUBLE::VARCHAR", list.empty() ? "" : ", ",
                        with_cell(aggregate, "number"));
  }
  const auto found = implementation_->rows(
      fmt::format("SELECT {} FROM (SELECT TRY_CAST({} AS DOUBLE) AS number FROM {}) WHERE isfinite(number)",
                  list, implementation_->cell(column), kRows),
      sql.size());
  std::vector<double> numbers;
  for (const std::string& number : found.at(0)) numbers.push_back(real(number));
  return numbers;
}

std::vector<ProfiledTable::CommonNumber> ProfiledTable::commonest(const std::string& column,
                                                                  const std::string& id, int most) const {
  const auto found = implementation_->rows(
      fmt::format(
          "SELECT number::VARCHAR, count(*)::VARCHAR, count(DISTINCT id)::VARCHAR FROM (SELECT "
          "TRY_CAST({} AS DOUBLE) AS number, {} AS id FROM {}) WHERE isfinite(number) GROUP BY number "
          "ORDER BY count(*) DESC, number LIMIT {}",
          implementation_->cell(column), implementation_->cell(id), kRows, most),
      3);
  std::vector<CommonNumber> numbers;
  for (const auto& row : found) numbers.push_back({real(row[0]), whole(row[1]), whole(row[2])});
  return numbers;
}

ProfiledTable::Gaps ProfiledTable::gaps(const std::string& id, const std::string& column,
                                        const std::string& value, const std::vector<double>& shares) const {
  std::string list = "count(*)::DOUBLE::VARCHAR";
  for (const double share : shares)
    list += fmt::format(", coalesce(quantile_cont(gap, {}), 0)::DOUBLE::VARCHAR", share);
  const auto found = implementation_->rows(
      fmt::format(
          "SELECT {} FROM (SELECT v - lag(v) OVER (PARTITION BY id ORDER BY v) AS gap FROM (SELECT {} AS "
          "id, {} AS v FROM {})) WHERE isfinite(gap)",
          list, implementation_->cell(id), with_cell(value, implementation_->cell(column)), kRows),
      shares.size() + 1);
  Gaps gaps{real(found[0][0]), {}};
  for (std::size_t i = 0; i < shares.size(); ++i) gaps.quantiles.push_back(real(found[0][i + 1]));
  return gaps;
}

std::int64_t ProfiledTable::goes_on_after(const std::string& action) const {
  return implementation_->count(fmt::format(
      "SELECT count(*)::VARCHAR FROM (SELECT {0} AS action, {1} AS observation, TRY_CAST({2} AS "
      "DOUBLE) AS step, max(TRY_CAST({2} AS DOUBLE)) OVER (PARTITION BY {3}) AS last FROM {4}) WHERE "
      "action = {5} AND (observation IS NOT NULL OR step < last)",
      implementation_->cell("action"), implementation_->cell("observation"), implementation_->cell("step"),
      implementation_->cell("patient"), kRows, sql_text(action)));
}

}  // namespace interpole::data
