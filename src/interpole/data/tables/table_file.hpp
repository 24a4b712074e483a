// What can be said about a table file from the outside: its kind, whether it can be read, how SQL must spell
// its name.
#pragma once

#include <string>

namespace interpole::data {

// A table as a user names it: a file, or FILE#table for one table of a database.
struct TableLocation {
  std::string file;
  std::string table;  // empty: none named
};
TableLocation table_location(const std::string& path);

enum class TableFormat { kCsv, kParquet, kJson, kJsonLines, kDatabase, kMemory };

struct TableKind {
  TableFormat format = TableFormat::kCsv;
  bool gzipped = false;
  char delimiter = '\0';  // '\0': told by the header
};

// Told by the end of the file's name, in any case: .csv, .tsv, .txt, .json, .jsonl, .ndjson, each also with
// .gz; .parquet; .duckdb or .db. A table in memory is of a kind of its own, whatever its name. Throws an
// input error for any other.
TableKind table_kind(const std::string& file);

// Throws an input error if there is no such file, it is a folder, or it may not be read.
void require_readable(const std::string& path);

// The whole name from the root on, without "..".
std::string absolute_path(const std::string& path);

// The name as an SQL string that DuckDB takes literally: absolute, so that nothing looks like a web address,
// and with the characters of its search patterns put in brackets.
std::string sql_path_literal(const std::string& path);

}  // namespace interpole::data
