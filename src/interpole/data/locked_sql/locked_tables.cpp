#include "interpole/data/locked_sql/locked_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/data/locked_sql/missing_cells.hpp"
#include "interpole/data/locked_sql/plain_csv_table.hpp"
#include "interpole/data/locked_sql/study_sql.hpp"
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
    throw usage_error(fmt::format("option data: {} files, but the study has one table, {}; give one file",
                                  files.tables.size(), base::shown(tables[0])));
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

// The file for each of the study's tables, in their order. A database may hold them all.
DataFiles matched(const TableMapping& mapping, const DataFiles& files) {
  const std::vector<std::string>& tables = mapping.source.tables;
  if (tables.size() == 1 && files.tables.size() == 1 && files.tables[0].first.empty()) {
    return {{{tables[0], files.tables[0].second}}};
  }
  if (files.tables.size() == 1 && files.tables[0].first.empty() &&
      is_whole_database(files.tables[0].second)) {
    DataFiles result;
    for (const std::string& table : tables) result.tables.emplace_back(table, files.tables[0].second);
    return result;
  }
  for (const auto& [name, file] : files.tables) {
    if (name.empty()) refuse_unnamed(file, tables, files);
    if (std::find(tables.begin(), tables.end(), name) == tables.end()) {
      throw usage_error(fmt::format("option data {}={}: the study has no table {}{}", name, file,
                                    base::shown(name), base::suggestion(name, tables, "its tables are")));
    }
  }
  DataFiles result;
  for (const std::string& table : tables) {
    const auto is_it = [&](const auto& entry) { return entry.first == table; };
    const auto it = std::find_if(files.tables.begin(), files.tables.end(), is_it);
    if (it == files.tables.end()) {
      throw usage_error(fmt::format("the study's table {} has no file; add option data {}=FILE",
                                    base::shown(table), table));
    }
    if (std::count_if(files.tables.begin(), files.tables.end(), is_it) > 1) {
      throw usage_error(
          fmt::format("option data: table {} is given twice; give each table one file", base::shown(table)));
    }
    result.tables.push_back(*it);
  }
  return result;
}

}  // namespace

LockedTables::LockedTables(const TableMapping& mapping, const DataFiles& given)
    : connection_(std::make_unique<DuckdbConnection>(options_of(folder_))) {
  const DataFiles files = matched(mapping, given);
  shown_ = given.tables.size() == 1 ? given.shown() : files.shown();
  std::vector<std::string> paths;
  for (const auto& [name, file] : files.tables) paths.push_back(file);
  admit_files(*connection_, paths);
  for (const auto& [name, file] : files.tables) open_table(name, file, mapping.source);
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

void LockedTables::open_table(const std::string& name, const std::string& file, const SourceTables& options) {
  const DuckdbSource source = open_source(*connection_, file, {options.delimiter, options.encoding, name});
  first_row_ = source.first_row;
  const std::vector<std::string> names = distinct_names(source.columns);
  const MissingCells missing(options.missing);
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_nested(source.types[i])) nested_.push_back(names[i]);
    list += fmt::format("{}{} AS {}", i == 0 ? "" : ", ", missing.cleaned(source.names[i], source.types[i]),
                        sql_identifier(names[i]));
  }
  connection_->run(fmt::format("CREATE VIEW {} AS SELECT {} FROM {}", sql_identifier(name), list, source.sql),
                   file);
  if (options.tables.size() == 1 && options.sql.empty() && source.delimiter != '\0') {
    open_quick_source(name, file, source.delimiter, names, missing.texts());
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
