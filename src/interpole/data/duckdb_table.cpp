#include "interpole/data/duckdb_table.hpp"

#include <duckdb.h>
#include <fmt/format.h>

#include "interpole/base/error.hpp"
#include "interpole/data/csv_header.hpp"
#include "interpole/data/duckdb_error.hpp"
#include "interpole/data/gzip_check.hpp"
#include "interpole/data/table_file.hpp"

namespace interpole {
namespace {

std::string sql_identifier(const std::string& name) {
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

class Database {
 public:
  Database() {
    duckdb_config config = nullptr;
    bool good = duckdb_create_config(&config) == DuckDBSuccess;
    // No code from elsewhere, no files of its own, rows in the order of the file; then nothing can be
    // changed.
    for (const auto& [option, value] : {std::pair{"autoinstall_known_extensions", "false"},
                                        {"autoload_known_extensions", "false"},
                                        {"allow_community_extensions", "false"},
                                        {"temp_directory", ""},
                                        {"preserve_insertion_order", "true"},
                                        {"lock_configuration", "true"}}) {
      good = good && duckdb_set_config(config, option, value) == DuckDBSuccess;
    }
    char* reason = nullptr;
    good = good && duckdb_open_ext(nullptr, &database_, config, &reason) == DuckDBSuccess &&
           duckdb_connect(database_, &connection_) == DuckDBSuccess;
    duckdb_destroy_config(&config);
    if (!good) {
      const std::string message =
          fmt::format("DuckDB does not start: {}", reason == nullptr ? "no reason given" : reason);
      duckdb_free(reason);
      duckdb_close(&database_);
      throw runtime_error(message);
    }
  }
  ~Database() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  duckdb_connection connection() const { return connection_; }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

// A prepared query and, once started, its streaming result: a few chunks are in memory at a time, never the
// table.
class Query {
 public:
  Query(const Database& database, const std::string& sql, const std::string& path) : path_(path) {
    if (duckdb_prepare(database.connection(), sql.c_str(), &statement_) != DuckDBSuccess) {
      const char* reason = duckdb_prepare_error(statement_);
      const Error error = translate_duckdb_error(reason == nullptr ? "no reason given" : reason, path_);
      duckdb_destroy_prepare(&statement_);
      throw error;
    }
  }
  ~Query() {
    duckdb_destroy_data_chunk(&chunk_);
    duckdb_destroy_result(&result_);
    duckdb_destroy_prepare(&statement_);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  std::vector<std::string> column_names() const {
    std::vector<std::string> names;
    for (idx_t i = 0; i < duckdb_prepared_statement_column_count(statement_); ++i) {
      const char* name = duckdb_prepared_statement_column_name(statement_, i);
      names.emplace_back(name);
      duckdb_free(const_cast<char*>(name));
    }
    return names;
  }

  // The next chunk that has rows, owned by the query; null at the end.
  duckdb_data_chunk fetch() {
    if (!started_) {
      started_ = true;
      if (duckdb_execute_prepared_streaming(statement_, &result_) != DuckDBSuccess) throw result_failure();
    }
    do {
      duckdb_destroy_data_chunk(&chunk_);
      chunk_ = duckdb_fetch_chunk(result_);
    } while (chunk_ != nullptr && duckdb_data_chunk_get_size(chunk_) == 0);
    // The end of the stream and a failure in the middle of it look alike but for this.
    if (chunk_ == nullptr && duckdb_result_error(&result_) != nullptr) throw result_failure();
    return chunk_;
  }

 private:
  Error result_failure() {
    const char* reason = duckdb_result_error(&result_);
    return translate_duckdb_error(reason == nullptr ? "no reason given" : reason, path_);
  }

  std::string path_;
  duckdb_prepared_statement statement_ = nullptr;
  duckdb_result result_ = {};
  duckdb_data_chunk chunk_ = nullptr;
  bool started_ = false;
};

void copy_cells(duckdb_data_chunk chunk, idx_t column, std::vector<Cell>& cells) {
  const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
  auto* strings = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector));
  std::uint64_t* validity = duckdb_vector_get_validity(vector);
  cells.resize(duckdb_data_chunk_get_size(chunk));
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (validity != nullptr && (validity[row / 64] >> (row % 64) & 1U) == 0) {
      cells[row] = {{}, true};
      continue;
    }
    const auto& inlined = strings[row].value.inlined;
    const bool short_text = inlined.length <= sizeof(inlined.inlined);
    cells[row] = {{short_text ? inlined.inlined : strings[row].value.pointer.ptr, inlined.length}, false};
  }
}

}  // namespace

struct DuckdbTable::Implementation {
  std::string path;
  TableKind kind;
  Database database;
  std::string source;  // SQL: the table function with its options
  std::vector<std::string> columns;
  std::unique_ptr<Query> query;
  std::vector<std::vector<Cell>> cells;
  std::int64_t first_row = 0;  // number of the chunk's first row
  std::int64_t next_row = 0;

  void open_parquet() {
    source = fmt::format("read_parquet({}, hive_partitioning=false)", sql_path_literal(path));
    columns = Query(database, "SELECT * FROM " + source, path).column_names();
  }

  // DuckDB's own detection of the format takes a ragged table for one of another shape without a word. So:
  // the header first, as raw text, then the table with every option stated and the columns called c0, c1, …
  void open_csv() {
    const std::string common = fmt::format("{}, auto_detect=false, hive_partitioning=false, compression='{}'",
                                           sql_path_literal(path), kind.gzipped ? "gzip" : "none");
    Query first_line(database,
                     fmt::format("SELECT line FROM read_csv({}, header=false, delim='', quote='', escape='', "
                                 "columns={{'line': 'VARCHAR'}}) LIMIT 1",
                                 common),
                     path);
    const duckdb_data_chunk chunk = first_line.fetch();
    if (chunk == nullptr) {
      throw input_error(fmt::format("{}: the file is empty; its first line must name the columns", path));
    }
    std::vector<Cell> line;
    copy_cells(chunk, 0, line);
    const CsvHeader header = parse_csv_header(line.front().text, kind.delimiter, path);
    columns = header.columns;
    std::string types;
    for (std::size_t i = 0; i < columns.size(); ++i)
      types += fmt::format("{}'c{}': 'VARCHAR'", i == 0 ? "" : ", ", i);
    source = fmt::format(
        "read_csv({}, header=true, delim='{}', quote='\"', escape='\"', nullstr='', strict_mode=true, "
        "columns={{{}}})",
        common, header.delimiter, types);
  }
};

DuckdbTable::DuckdbTable(const std::string& path) {
  const TableKind kind = table_kind(path);
  require_readable(path);
  implementation_ = std::make_unique<Implementation>();
  implementation_->path = path;
  if (kind.gzipped) require_whole_gzip(path);  // DuckDB takes a cut-off file for a short one
  implementation_->kind = kind;
  kind.parquet ? implementation_->open_parquet() : implementation_->open_csv();
}

DuckdbTable::~DuckdbTable() = default;

const std::vector<std::string>& DuckdbTable::columns() const {
  return implementation_->columns;
}

void DuckdbTable::select(std::span<const int> columns) {
  Implementation& table = *implementation_;
  std::string list;
  for (const int column : columns) {
    const std::string name =
        table.kind.parquet ? sql_identifier(table.columns[column]) : fmt::format("c{}", column);
    list += fmt::format("{}CAST({} AS VARCHAR)", list.empty() ? "" : ", ", name);
  }
  table.query = std::make_unique<Query>(table.database, fmt::format("SELECT {} FROM {}", list, table.source),
                                        table.path);
  table.cells.assign(columns.size(), {});
  table.first_row = table.next_row = table.kind.parquet ? 1 : 2;
}

bool DuckdbTable::read() {
  Implementation& table = *implementation_;
  const duckdb_data_chunk chunk = table.query->fetch();
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    chunk == nullptr ? table.cells[i].clear() : copy_cells(chunk, i, table.cells[i]);
  }
  table.first_row = table.next_row;
  table.next_row += static_cast<std::int64_t>(row_count());
  return chunk != nullptr;
}

std::size_t DuckdbTable::row_count() const {
  return implementation_->cells.empty() ? 0 : implementation_->cells.front().size();
}

std::span<const Cell> DuckdbTable::cells(std::size_t column) const {
  return implementation_->cells[column];
}

std::int64_t DuckdbTable::row_number(std::size_t row_of_chunk) const {
  return implementation_->first_row + static_cast<std::int64_t>(row_of_chunk);
}

}  // namespace interpole
