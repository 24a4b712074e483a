// An expression of the study's own, which is DuckDB's SQL, in another dialect. Only what means the same
// everywhere is taken: columns, constants, comparisons, AND, OR, NOT, IN, LIKE, BETWEEN, IS NULL, CASE, sums,
// differences and products, coalesce, nullif, and casts to numbers and text.
#pragma once

#include <string>

#include "interpole/data/warehouse/sql_dialect.hpp"

namespace interpole::data {

struct PortableSql {
  std::string sql;
  bool is_condition = false;  // true or false, as a comparison is; otherwise a value
};

// Throws an input error that begins with `where` and names what has no counterpart.
PortableSql portable_sql(const std::string& expression, const SqlDialect& dialect, const std::string& where);

}  // namespace interpole::data
