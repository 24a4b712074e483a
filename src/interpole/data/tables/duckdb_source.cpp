#include "interpole/data/tables/duckdb_source.hpp"

#include <fmt/format.h>

#include "interpole/data/tables/csv_header.hpp"
#include "interpole/data/tables/database_source.hpp"
#include "interpole/data/tables/gzip_check.hpp"
#include "interpole/data/tables/json_source.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/data/tables/text_scan.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

DuckdbSource open_parquet(const DuckdbConnection& connection, const std::string& path) {
  return described_source(
      connection, fmt::format("read_parquet({}, hive_partitioning=false)", sql_path_literal(path)), path);
}

// DuckDB's own detection of the format takes a ragged table for one of another shape without a word. So:
// the header first, as raw text, then the table with every option stated and the columns called c0, c1, …
DuckdbSource open_csv(const DuckdbConnection& connection, const std::string& path, bool gzipped,
                      char delimiter, const std::string& encoding) {
  const std::string common = fmt::format(
      "{}, auto_detect=false, hive_partitioning=false, compression='{}'{}", sql_path_literal(path),
      gzipped ? "gzip" : "none", encoding.empty() ? "" : fmt::format(", encoding={}", sql_text(encoding)));
  DuckdbQuery first_line(connection,
                         fmt::format("SELECT line FROM read_csv({}, header=false, delim='', quote='', "
                                     "escape='', columns={{'line': 'VARCHAR'}}) LIMIT 1",
                                     common),
                         path);
  const duckdb_data_chunk chunk = first_line.fetch();
  if (chunk == nullptr) {
    throw input_error(fmt::format("{}: the file is empty; its first line must name the columns", path));
  }
  std::vector<Cell> line;
  copy_cells(chunk, 0, line);
  const CsvHeader header = parse_csv_header(line.front().text, delimiter, path);
  DuckdbSource source;
  source.columns = header.columns;
  source.types.assign(source.columns.size(), DUCKDB_TYPE_VARCHAR);
  std::string types;
  for (std::size_t i = 0; i < source.columns.size(); ++i) {
    source.names.push_back(fmt::format("c{}", i));
    types += fmt::format("{}'c{}': 'VARCHAR'", i == 0 ? "" : ", ", i);
  }
  source.sql = fmt::format(
      "read_csv({}, header=true, delim={}, quote='\"', escape='\"', nullstr='', strict_mode=true, "
      "columns={{{}}})",
      common, sql_text({&header.delimiter, 1}), types);
  if (!gzipped && encoding.empty()) source.delimiter = header.delimiter;
  return source;
}

}  // namespace

DuckdbSource described_source(const DuckdbConnection& connection, const std::string& sql,
                              const std::string& where) {
  DuckdbSource source;
  source.sql = sql;
  const DuckdbQuery query(connection, "SELECT * FROM " + sql, where);
  source.columns = query.column_names();
  source.types = query.column_types();
  for (const std::string& column : source.columns) source.names.push_back(sql_identifier(column));
  source.first_row = 1;
  return source;
}

void admit_files(DuckdbConnection& connection, std::span<const std::string> paths) {
  std::string list;
  for (const std::string& path : paths) {
    const std::string file = table_location(path).file;
    const TableFormat format = table_kind(file).format;
    if (format == TableFormat::kMemory) continue;
    if (format == TableFormat::kDatabase) attach_database(connection, file);
    // As it stands, and as the pattern that stands for it.
    list += fmt::format("{}{}, {}", list.empty() ? "" : ", ", sql_text(absolute_path(file)),
                        sql_path_literal(file));
  }
  if (!list.empty()) connection.run(fmt::format("SET allowed_paths = [{}]", list), paths.front());
  connection.run("SET enable_external_access = false", paths.front());
  connection.run("SET lock_configuration = true", paths.front());
}

DuckdbSource open_source(const DuckdbConnection& connection, const std::string& path,
                         const SourceOptions& options) {
  const TableLocation location = table_location(path);
  const TableKind kind = table_kind(location.file);
  if (kind.format == TableFormat::kMemory) return open_memory(connection, path);
  require_readable(location.file);
  if (kind.gzipped) require_whole_gzip(path);  // DuckDB takes a cut-off file for a short one
  if (kind.format == TableFormat::kCsv && !kind.gzipped) require_text(path);
  switch (kind.format) {
    case TableFormat::kParquet:
      return open_parquet(connection, path);
    case TableFormat::kJson:
    case TableFormat::kJsonLines:
      return open_json(connection, path, kind);
    case TableFormat::kDatabase:
      return open_database_table(connection, location, options.table);
    case TableFormat::kMemory:
    case TableFormat::kCsv:
      break;
  }
  return open_csv(connection, path, kind.gzipped,
                  options.delimiter == '\0' ? kind.delimiter : options.delimiter, options.encoding);
}

bool is_nested(duckdb_type type) {
  return type == DUCKDB_TYPE_LIST || type == DUCKDB_TYPE_ARRAY || type == DUCKDB_TYPE_STRUCT ||
         type == DUCKDB_TYPE_MAP || type == DUCKDB_TYPE_UNION;
}

}  // namespace interpole::data
