// A table file as text cells, streamed through DuckDB: CSV and JSON (plain or gzipped), Parquet, or a table
// of a database; or several files, the parts of one table, one after another. DuckDB's own types and error
// pages end here; nothing else in the house includes its header.
//
// The database that reads lives in memory, may not load extensions, and its settings are locked. Only the
// given file is read: its name is taken literally, never as a pattern or an address.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace interpole::data {

struct Cell {
  std::string_view text;  // valid until the next call of read()
  bool is_null = false;   // an empty CSV cell, NULL, or a key that is not there; `text` is then empty
};

class DuckdbTable {
 public:
  // The kind of file is told by its name (table_file.hpp). CSV: UTF-8, the first line names the columns,
  // delimiter , ; tab or | (whichever the header uses most; always tab in .tsv), cells quoted by " with ""
  // for a quote inside. Throws an input error if the file is not there, is of another kind, or has no
  // columns.
  explicit DuckdbTable(const std::string& path);
  // The parts of one table, at least one. A part is opened when those before it are read; its columns must be
  // those of the first, in any order (input error).
  explicit DuckdbTable(std::span<const std::string> parts);
  ~DuckdbTable();
  DuckdbTable(const DuckdbTable&) = delete;
  DuckdbTable& operator=(const DuckdbTable&) = delete;

  const std::vector<std::string>& columns() const;

  // Starts reading these columns (indices into columns()) from the top, rows in file order.
  void select(std::span<const int> columns);

  // Goes to the next chunk, some thousand rows at most; false at the end. Throws an input error naming file
  // and line for rows that are broken.
  bool read();
  std::size_t row_count() const;                          // of this chunk
  std::span<const Cell> cells(std::size_t column) const;  // of this chunk; index as in select()
  const std::string& path() const;                        // of the file that this chunk is from

  // The number people find a row of its file by. CSV: the header is row 1, the first record row 2; it is the
  // line number as long as no cell contains a line break and no line is blank (blank lines are skipped and
  // not counted). All others: the first record is row 1.
  std::int64_t row_number(std::size_t row_of_chunk) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace interpole::data
