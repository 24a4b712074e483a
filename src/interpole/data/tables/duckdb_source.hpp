// A table file as DuckDB's SQL must name it: the table function with every option stated (or the table of a
// database), and the columns. Internal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {

struct DuckdbSource {
  std::string sql;                   // e.g. read_csv('…', …)
  std::vector<std::string> columns;  // as the file names them
  std::vector<std::string> names;  // as `sql` names them: c0, c1, … in CSV and memory, quoted names otherwise
  std::vector<duckdb_type> types;  // VARCHAR throughout in CSV, JSON and memory
  std::int64_t first_row = 2;      // the number people find the first record by
  char delimiter = '\0';           // of CSV in UTF-8 that is not packed
};

// Must come first: attaches the databases among the files, read-only, and then locks the connection for good:
// it reads these files and nothing else, whatever SQL it is given, views of a database included.
void admit_files(DuckdbConnection& connection, std::span<const std::string> paths);

struct SourceOptions {
  char delimiter = '\0';  // of CSV; '\0': told by the file's name or header
  std::string encoding;   // of CSV: latin-1; empty: UTF-8
  std::string table;      // of a database that has several: this one, unless the path names another
};

// Checks the file (kind, readable, whole) and its columns. `path` may name a table of a database.
DuckdbSource open_source(const DuckdbConnection& connection, const std::string& path,
                         const SourceOptions& options = {});

// What DuckDB says of a table that it can describe itself; errors name `where`.
DuckdbSource described_source(const DuckdbConnection& connection, const std::string& sql,
                              const std::string& where);

// A table in memory (data/sources/memory_table.hpp), registered with the connection, which then keeps it.
DuckdbSource open_memory(const DuckdbConnection& connection, const std::string& path);

// Whether a column holds lists or objects rather than values.
bool is_nested(duckdb_type type);

}  // namespace interpole::data
