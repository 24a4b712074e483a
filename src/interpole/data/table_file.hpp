// What can be said about a table file from the outside: its kind, whether it can be read, how SQL must spell
// its name.
#pragma once

#include <string>

namespace interpole {

struct TableKind {
  bool parquet = false;
  bool gzipped = false;
  char delimiter = '\0';  // '\0': told by the header
};

// Told by the end of the name, in any case: .csv, .tsv, .txt, each also with .gz, or .parquet. Throws an
// input error for any other.
TableKind table_kind(const std::string& path);

// Throws an input error if there is no such file, it is a folder, or it may not be read.
void require_readable(const std::string& path);

// The whole name from the root on, without "..".
std::string absolute_path(const std::string& path);

// The name as an SQL string that DuckDB takes literally: absolute, so that nothing looks like a web address,
// and with the characters of its search patterns put in brackets.
std::string sql_path_literal(const std::string& path);

}  // namespace interpole
