// An in-memory DuckDB and its queries, closed when they go out of scope. Internal: needs duckdb.h, which
// nothing else in the house includes but the sources of this room.
#pragma once

#include <duckdb.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "interpole/data/tables/duckdb_table.hpp"

namespace interpole::data {

using DuckdbOption = std::pair<const char*, std::string>;

class DuckdbConnection {
 public:
  // No code from elsewhere in any case; `options` come on top. Throws a runtime error if DuckDB does not
  // start.
  explicit DuckdbConnection(std::span<const DuckdbOption> options);
  ~DuckdbConnection();
  DuckdbConnection(const DuckdbConnection&) = delete;
  DuckdbConnection& operator=(const DuckdbConnection&) = delete;

  duckdb_connection handle() const { return connection_; }

  // A statement whose result does not matter. `where` begins the message if it fails.
  void run(const std::string& sql, const std::string& where);

 private:
  void start_workers(unsigned count);
  void stop_workers();

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  // DuckDB's own workers may still touch a connection that is being closed (seen as a hang in its 1.4.4).
  // Ours are stopped and gone before that.
  duckdb_task_state tasks_ = nullptr;
  std::vector<std::thread> workers_;
};

struct ChunkDeleter {
  void operator()(duckdb_data_chunk chunk) const { duckdb_destroy_data_chunk(&chunk); }
};
using OwnedChunk = std::unique_ptr<_duckdb_data_chunk, ChunkDeleter>;

// A prepared query and, once started, its streaming result: a few chunks are in memory at a time, never the
// whole.
class DuckdbQuery {
 public:
  // Throws what translate_duckdb_error makes of DuckDB's complaint about `where`.
  DuckdbQuery(const DuckdbConnection& connection, const std::string& sql, std::string where);
  ~DuckdbQuery();
  DuckdbQuery(const DuckdbQuery&) = delete;
  DuckdbQuery& operator=(const DuckdbQuery&) = delete;

  std::vector<std::string> column_names() const;
  std::vector<duckdb_type> column_types() const;

  // The next chunk that has rows, owned by the query; null at the end.
  duckdb_data_chunk fetch();
  // The chunk last fetched, to be kept beyond the next one.
  OwnedChunk take() { return std::move(chunk_); }

 private:
  [[noreturn]] void fail();

  std::string where_;
  duckdb_prepared_statement statement_ = nullptr;
  duckdb_result result_ = {};
  OwnedChunk chunk_;
  bool started_ = false;
};

// Whether there is no value in a row of a column; `validity` as DuckDB hands it out, null if all have one.
inline bool is_null(const std::uint64_t* validity, std::size_t row) {
  return validity != nullptr && (validity[row / 64] >> (row % 64) & 1U) == 0;
}

inline std::string_view view_of(const duckdb_string_t& string) {
  const auto& inlined = string.value.inlined;
  const bool is_short = inlined.length <= sizeof(inlined.inlined);
  return {is_short ? inlined.inlined : string.value.pointer.ptr, inlined.length};
}

// The cells of a VARCHAR column of a chunk, valid as long as the chunk.
void copy_cells(duckdb_data_chunk chunk, idx_t column, std::vector<Cell>& cells);

// The numbers of a DOUBLE column of a chunk; `null` where there is none.
void copy_numbers(duckdb_data_chunk chunk, idx_t column, double null, std::vector<double>& numbers);

// Fills a row of a VARCHAR column that a table function of ours gives out.
void put_text(duckdb_vector vector, std::size_t row, std::string_view text);

// Names and texts as SQL spells them. A text with a NUL character is refused: DuckDB would end there.
std::string sql_identifier(std::string_view name);
std::string sql_text(std::string_view text);

// What a study says a cell holds, as it is compared with cells of a mapped table: without blanks around it.
std::string trimmed(std::string_view text);

}  // namespace interpole::data
