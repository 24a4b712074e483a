#include "interpole/data/tables/duckdb_table.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "interpole/data/tables/duckdb_connection.hpp"
#include "interpole/data/tables/duckdb_source.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

// No files of its own, rows in the order of the file.
const std::array<DuckdbOption, 2> kOptions = {{{"temp_directory", ""}, {"preserve_insertion_order", "true"}}};

}  // namespace

struct DuckdbTable::Implementation {
  explicit Implementation(const std::string& file) : path(file), database(kOptions) {
    admit_files(database, {&path, 1});
    source = open_source(database, path);
  }

  std::string path;
  DuckdbConnection database;
  DuckdbSource source;
  std::optional<DuckdbQuery> query;
  std::vector<std::vector<Cell>> cells;
  std::int64_t first_row = 0;  // number of the chunk's first row
  std::int64_t next_row = 0;
};

DuckdbTable::DuckdbTable(const std::string& path) : implementation_(std::make_unique<Implementation>(path)) {}

DuckdbTable::~DuckdbTable() = default;

const std::vector<std::string>& DuckdbTable::columns() const {
  return implementation_->source.columns;
}

void DuckdbTable::select(std::span<const int> columns) {
  Implementation& table = *implementation_;
  std::string list;
  for (const int column : columns) {
    if (is_nested(table.source.types[column])) {
      throw input_error(
          fmt::format("{}: column {}: holds lists or objects, not values; write plain values, or "
                      "map the table with a study whose source.sql takes them out",
                      table.path, table.source.columns[column]));
    }
    list += fmt::format("{}CAST({} AS VARCHAR)", list.empty() ? "" : ", ", table.source.names[column]);
  }
  table.query.reset();
  table.query.emplace(table.database, fmt::format("SELECT {} FROM {}", list, table.source.sql), table.path);
  table.cells.assign(columns.size(), {});
  table.first_row = table.next_row = table.source.first_row;
}

bool DuckdbTable::read() {
  Implementation& table = *implementation_;
  const duckdb_data_chunk chunk = table.query->fetch();
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    chunk == nullptr ? table.cells[i].clear() : copy_cells(chunk, i, table.cells[i]);
  }
  table.first_row = table.next_row;
  table.next_row += static_cast<std::int64_t>(row_count());
  return chunk != nullptr;
}

std::size_t DuckdbTable::row_count() const {
  return implementation_->cells.empty() ? 0 : implementation_->cells.front().size();
}

std::span<const Cell> DuckdbTable::cells(std::size_t column) const {
  return implementation_->cells[column];
}

std::int64_t DuckdbTable::row_number(std::size_t row_of_chunk) const {
  return implementation_->first_row + static_cast<std::int64_t>(row_of_chunk);
}

}  // namespace interpole::data
