// JSON files as tables: an array of objects, or one object a line. A key is a column; a record without it has
// no value there. All cells are text, as in CSV: numbers as they are written, true and false as words.
// Internal.
#pragma once

#include "interpole/data/tables/duckdb_source.hpp"
#include "interpole/data/tables/table_file.hpp"

namespace interpole::data {

// Columns are the keys of the first kJsonSample records, in the order in which they appear. A key whose
// values are objects or lists is a nested column.
constexpr int kJsonSample = 100'000;
DuckdbSource open_json(const DuckdbConnection& connection, const std::string& path, const TableKind& kind);

}  // namespace interpole::data
