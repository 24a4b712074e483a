#include "interpole/data/tables/duckdb_table.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "interpole/data/sources/table_parts.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"
#include "interpole/data/tables/duckdb_source.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

// No files of its own, rows in the order of the file.
const std::array<DuckdbOption, 2> kOptions = {{{"temp_directory", ""}, {"preserve_insertion_order", "true"}}};

}  // namespace

struct DuckdbTable::Implementation {
  // One file.
  struct OpenPart {
    explicit OpenPart(const std::string& file) : path(file), database(kOptions) {
      admit_files(database, {&path, 1});
      source = open_source(database, path);
    }

    // Indices into the columns of this file.
    void select(std::span<const int> chosen) {
      std::string list;
      for (const int column : chosen) {
        if (is_nested(source.types[column])) {
          throw input_error(
              fmt::format("{}: column {}: holds lists or objects, not values; write plain values, or "
                          "map the table with a study whose source.sql takes them out",
                          path, source.columns[column]));
        }
        list += fmt::format("{}CAST({} AS VARCHAR)", list.empty() ? "" : ", ", source.names[column]);
      }
      query.reset();
      query.emplace(database, fmt::format("SELECT {} FROM {}", list, source.sql), path);
      next_row = source.first_row;
    }

    std::string path;
    DuckdbConnection database;
    DuckdbSource source;
    std::optional<DuckdbQuery> query;
    std::int64_t next_row = 0;
  };

  explicit Implementation(std::span<const std::string> files) : paths(files.begin(), files.end()) {
    open(0);
    columns = part->source.columns;
  }

  void open(std::size_t index) {
    part.reset();  // before the next one takes its memory
    part = std::make_unique<OpenPart>(paths[index]);
    place = index;
  }

  void select_in_part() {
    if (place == 0) return part->select(selected);
    const std::vector<int> places = columns_of_part(part->source.columns, columns, part->path, paths[0]);
    std::vector<int> own;
    for (const int column : selected) own.push_back(places[static_cast<std::size_t>(column)]);
    part->select(own);
  }

  // Null at the end of the last part.
  duckdb_data_chunk fetch() {
    duckdb_data_chunk chunk = part->query->fetch();
    while (chunk == nullptr && place + 1 < paths.size()) {
      open(place + 1);
      select_in_part();
      chunk = part->query->fetch();
    }
    return chunk;
  }

  std::vector<std::string> paths;
  std::size_t place = 0;  // of the part that is open
  std::unique_ptr<OpenPart> part;
  std::vector<std::string> columns;  // of the first part
  std::vector<int> selected;
  std::vector<std::vector<Cell>> cells;
  std::int64_t first_row = 0;  // number of the chunk's first row
};

DuckdbTable::DuckdbTable(const std::string& path) : DuckdbTable(std::span(&path, 1)) {}

DuckdbTable::DuckdbTable(std::span<const std::string> parts)
    : implementation_(std::make_unique<Implementation>(parts)) {}

DuckdbTable::~DuckdbTable() = default;

const std::vector<std::string>& DuckdbTable::columns() const {
  return implementation_->columns;
}

void DuckdbTable::select(std::span<const int> columns) {
  Implementation& table = *implementation_;
  if (table.place > 0) table.open(0);
  table.selected.assign(columns.begin(), columns.end());
  table.select_in_part();
  table.cells.assign(columns.size(), {});
  table.first_row = table.part->next_row;
}

bool DuckdbTable::read() {
  Implementation& table = *implementation_;
  const duckdb_data_chunk chunk = table.fetch();
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    chunk == nullptr ? table.cells[i].clear() : copy_cells(chunk, i, table.cells[i]);
  }
  table.first_row = table.part->next_row;
  table.part->next_row += static_cast<std::int64_t>(row_count());
  return chunk != nullptr;
}

std::size_t DuckdbTable::row_count() const {
  return implementation_->cells.empty() ? 0 : implementation_->cells.front().size();
}

std::span<const Cell> DuckdbTable::cells(std::size_t column) const {
  return implementation_->cells[column];
}

const std::string& DuckdbTable::path() const {
  return implementation_->part->path;
}

std::int64_t DuckdbTable::row_number(std::size_t row_of_chunk) const {
  return implementation_->first_row + static_cast<std::int64_t>(row_of_chunk);
}

}  // namespace interpole::data
