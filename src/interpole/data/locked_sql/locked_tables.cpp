#include "interpole/data/locked_sql/locked_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/data/locked_sql/missing_cells.hpp"
#include "interpole/data/locked_sql/plain_csv_table.hpp"
#include "interpole/data/locked_sql/study_sql.hpp"
#include "interpole/data/sources/table_parts.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"
#include "interpole/data/tables/duckdb_source.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

// With the library's own needs on top, the program stays below 2 GB; what does not fit is sorted on disk.
constexpr const char* kMemoryLimit = "1500MB";
// No table of a study can be called that.
constexpr const char* kSelected = "\"interpole source\"";
constexpr const char* kQuick = "\"interpole quick source\"";

std::vector<DuckdbOption> options_of(const base::TemporaryFolder& folder) {
  return {{"memory_limit", kMemoryLimit},
          {"temp_directory", folder.path()},
          {"preserve_insertion_order", "true"}};
}

// SQL takes names that differ in case only for the same: the later ones get their place appended.
std::vector<std::string> distinct_names(const std::vector<std::string>& columns) {
  std::vector<std::string> names = columns;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string key = names[i];
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    if (!seen.insert(key).second) names[i] += fmt::format(" (column {})", i + 1);
  }
  return names;
}

[[noreturn]] void refuse_unnamed(const std::string& file, const std::vector<std::string>& tables,
                                 const DataFiles& files) {
  if (tables.size() == 1) {
    throw usage_error(
        fmt::format("option data {0}: other files are named as parts of table {1}; write option data {2}={0}",
                    file, base::shown(tables[0]), tables[0]));
  }
  const auto has_no_file = [&](const std::string& table) {
    return std::none_of(files.tables.begin(), files.tables.end(),
                        [&](const auto& entry) { return entry.first == table; });
  };
  const auto free = std::find_if(tables.begin(), tables.end(), has_no_file);
  throw usage_error(
      fmt::format("option data {0}: the study has tables {1}; say which one this is: option data {2}={0}",
                  file, base::name_list(tables), free == tables.end() ? tables[0] : *free));
}

bool is_whole_database(const std::string& path) {
  const TableLocation location = table_location(path);
  return location.table.empty() && table_kind(location.file).format == TableFormat::kDatabase;
}

// A table of the study and its parts.
using TableParts = std::pair<std::string, std::vector<std::string>>;

std::vector<std::string> parts_of(const std::string& table, const DataFiles& files) {
  std::vector<std::string> parts;
  for (const auto& [name, file] : files.tables) {
    if (name == table) parts.push_back(file);
  }
  require_distinct_parts(parts);
  return parts;
}

// For each of the study's tables, in their order. A database may hold them all.
std::vector<TableParts> matched(const TableMapping& mapping, const DataFiles& files) {
  const std::vector<std::string>& tables = mapping.source.tables;
  const bool unnamed = std::all_of(files.tables.begin(), files.tables.end(),
                                   [](const auto& entry) { return entry.first.empty(); });
  if (tables.size() == 1 && unnamed) return {{tables[0], parts_of("", files)}};
  std::vector<TableParts> result;
  if (files.tables.size() == 1 && unnamed && is_whole_database(files.tables[0].second)) {
    for (const std::string& table : tables) result.push_back({table, {files.tables[0].second}});
    return result;
  }
  for (const auto& [name, file] : files.tables) {
    if (name.empty()) refuse_unnamed(file, tables, files);
    if (std::find(tables.begin(), tables.end(), name) == tables.end()) {
      throw usage_error(fmt::format("option data {}={}: the study has no table {}{}", name, file,
                                    base::shown(name), base::suggestion(name, tables, "its tables are")));
    }
  }
  for (const std::string& table : tables) {
    result.emplace_back(table, parts_of(table, files));
    if (!result.back().second.empty()) continue;
    throw usage_error(
        fmt::format("the study's table {} has no file; add option data {}=FILE", base::shown(table), table));
  }
  return result;
}

}  // namespace

LockedTables::LockedTables(const TableMapping& mapping, const DataFiles& given)
    : connection_(std::make_unique<DuckdbConnection>(options_of(folder_))) {
  const std::vector<TableParts> tables = matched(mapping, given);
  DataFiles files;
  std::vector<std::string> paths;
  for (const auto& [name, parts] : tables) {
    for (const std::string& part : parts) files.tables.emplace_back(name, part);
    paths.insert(paths.end(), parts.begin(), parts.end());
  }
  shown_ = given.tables.size() == 1 ? given.shown() : files.shown();
  admit_files(*connection_, paths);
  for (const auto& [name, parts] : tables) open_table(name, parts, mapping.source);
  source_ = sql_identifier(mapping.source.tables[0]);
  if (!mapping.source.sql.empty()) {
    first_row_.reset();
    nested_.clear();
    const std::string where = mapping.study + ": source.sql";
    require_select(*connection_, mapping.source.sql, mapping.source.tables, where);
    connection_->run(fmt::format("CREATE VIEW {} AS {}", kSelected, mapping.source.sql), where);
    source_ = kSelected;
  }
  const DuckdbQuery rows(*connection_, "SELECT * FROM " + source_, shown_);
  columns_ = rows.column_names();
  const std::vector<duckdb_type> types = rows.column_types();
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (is_nested(types[i])) nested_.push_back(columns_[i]);
  }
}

LockedTables::~LockedTables() = default;

void LockedTables::open_table(const std::string& name, const std::vector<std::string>& parts,
                              const SourceTables& options) {
  const MissingCells missing(options.missing);
  DuckdbSource first;
  std::string sql;
  for (const std::string& part : parts) {
    const DuckdbSource source = open_source(*connection_, part, {options.delimiter, options.encoding, name});
    if (sql.empty()) first = source;
    const std::vector<std::string> names = distinct_names(first.columns);
    const std::vector<int> places = columns_of_part(source.columns, first.columns, part, parts[0]);
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      if (is_nested(source.types[place])) nested_.push_back(names[i]);
      list +=
          fmt::format("{}{} AS {}", i == 0 ? "" : ", ",
                      missing.cleaned(source.names[place], source.types[place]), sql_identifier(names[i]));
    }
    sql += fmt::format("{}SELECT {} FROM {}", sql.empty() ? "" : " UNION ALL ", list, source.sql);
  }
  connection_->run(fmt::format("CREATE VIEW {} AS {}", sql_identifier(name), sql), parts[0]);
  first_row_.reset();
  if (parts.size() > 1) return;
  first_row_ = first.first_row;
  if (options.tables.size() == 1 && options.sql.empty() && first.delimiter != '\0') {
    open_quick_source(name, parts[0], first.delimiter, distinct_names(first.columns), missing.texts());
  }
}

// Under the name of the table, which the study's expressions may use.
void LockedTables::open_quick_source(const std::string& name, const std::string& file, char delimiter,
                                     const std::vector<std::string>& columns,
                                     const std::vector<std::string>& missing) {
  plain_ = std::make_unique<PlainCsvTable>(*connection_, file, delimiter, columns.size(), missing);
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    list += fmt::format("{}c{} AS {}", i == 0 ? "" : ", ", i, sql_identifier(columns[i]));
  }
  connection_->run(fmt::format("CREATE VIEW {} AS SELECT {} FROM {}", kQuick, list, PlainCsvTable::kSql),
                   file);
  quick_source_ = fmt::format("{} AS {}", kQuick, sql_identifier(name));
}

std::vector<std::vector<std::string>> LockedTables::first_rows(const std::string& sql,
                                                               std::size_t columns) const {
  DuckdbQuery query(*connection_, sql, shown_);
  std::vector<std::vector<std::string>> rows;
  const duckdb_data_chunk chunk = query.fetch();
  if (chunk == nullptr) return rows;
  rows.resize(duckdb_data_chunk_get_size(chunk));
  std::vector<Cell> cells;
  for (std::size_t column = 0; column < columns; ++column) {
    copy_cells(chunk, column, cells);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].emplace_back(cells[i].text);
  }
  return rows;
}

std::string LockedTables::numbered_source() const {
  return fmt::format("(SELECT *, row_number() OVER () + {} AS {} FROM {})", *first_row_ - 1, kRowNumber,
                     source_);
}

}  // namespace interpole::data
