// A plain CSV file (plain_csv.hpp) as a table of DuckDB, read by all its threads, in no particular order. For
// queries that read the whole table before they give out a row: if the file turns out not to be plain they
// fail, and can be asked again of a table that DuckDB reads itself. Internal.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {

class PlainCsvTable {
 public:
  // Columns are called c0, c1, …, all text without the blanks around it, NULL where that is empty or among
  // `missing`. Must live as long as the connection.
  PlainCsvTable(const DuckdbConnection& connection, std::string path, char delimiter, std::size_t columns,
                std::vector<std::string> missing);
  PlainCsvTable(const PlainCsvTable&) = delete;
  PlainCsvTable& operator=(const PlainCsvTable&) = delete;

  static constexpr const char* kSql = "interpole_plain_csv()";

  const std::string& path() const { return path_; }
  char delimiter() const { return delimiter_; }
  std::size_t columns() const { return columns_; }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  std::string path_;
  char delimiter_;
  std::size_t columns_;
  std::vector<std::string> missing_;
};

}  // namespace interpole::data
