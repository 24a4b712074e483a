// A table file as DuckDB's SQL must name it: the table function with every option stated, and the columns.
// Internal.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/duckdb_connection.hpp"

namespace interpole {

struct DuckdbSource {
  std::string sql;                   // e.g. read_csv('…', …)
  std::vector<std::string> columns;  // as the file names them
  std::vector<std::string> names;    // as `sql` names them: c0, c1, … in CSV, quoted names in Parquet
  std::vector<duckdb_type> types;    // VARCHAR throughout in CSV
  std::int64_t first_row = 2;        // the number people find the first record by
};

// Checks the file (kind, readable, whole) and its header. `delimiter` = '\0': told by the file's name or
// header.
DuckdbSource open_source(const DuckdbConnection& connection, const std::string& path, char delimiter = '\0');

}  // namespace interpole
