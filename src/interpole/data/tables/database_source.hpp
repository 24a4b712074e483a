// Tables and views of a DuckDB database file, read where they lie. Internal.
#pragma once

#include "interpole/data/tables/duckdb_source.hpp"
#include "interpole/data/tables/table_file.hpp"

namespace interpole::data {

// Read-only. Throws an input error if the file is no database, is damaged, was written by a newer DuckDB, or
// is open for writing elsewhere.
void attach_database(DuckdbConnection& connection, const std::string& file);

// The table that `location` names; if it names none, `preferred` if there is such a table; failing that, the
// only one.
DuckdbSource open_database_table(const DuckdbConnection& connection, const TableLocation& location,
                                 const std::string& preferred);

}  // namespace interpole::data
