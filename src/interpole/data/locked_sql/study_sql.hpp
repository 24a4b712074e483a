// SQL that a study brings along, looked at before it runs. It may compute whatever it likes from the study's
// tables; it may not name anything else (docs/mapping.md). The database it runs in is locked as well
// (locked_tables.hpp): this check is the first of two doors, and the one that explains itself. Internal.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {

// Throws an input error that begins with `where` unless `sql` is one SELECT over `tables`, common table
// expressions of its own, and unnest, range or generate_series.
void require_select(const DuckdbConnection& connection, const std::string& sql,
                    const std::vector<std::string>& tables, const std::string& where);

// The same for one expression.
void require_expression(const DuckdbConnection& connection, const std::string& sql,
                        const std::vector<std::string>& tables, const std::string& where);

}  // namespace interpole::data
