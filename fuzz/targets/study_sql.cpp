#include "interpole/data/locked_sql/study_sql.hpp"

#include "interpole/data/tables/duckdb_connection.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

// What the first door says of any text: taken or refused. (It is DuckDB that parses, without
// instrumentation.)
void study_sql(std::string_view input) {
  static const data::DuckdbConnection connection({});
  const std::string sql(input);
  taken([&] { data::require_select(connection, sql, {"visits"}, "in.toml: source.sql"); },
        "in.toml: source.sql");
  taken([&] { data::require_expression(connection, sql, {"visits"}, "in.toml: filters.where"); },
        "in.toml: filters.where");
}

}  // namespace interpole::fuzz
