#include "interpole/data/joined_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "interpole/data/sources/column_memory.hpp"
#include "interpole/data/tables/duckdb_table.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

// The places of the wanted columns in a file.
std::vector<int> places_of(const std::vector<std::string>& wanted, const std::vector<std::string>& columns,
                           const std::string& path, const std::string& first) {
  std::vector<int> places;
  for (const std::string& name : wanted) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end() || columns.size() != wanted.size()) {
      throw input_error(
          fmt::format("{}: its columns are {}, those of {} are {}; give files with the same columns", path,
                      fmt::join(columns, ", "), first, fmt::join(wanted, ", ")));
    }
    places.push_back(static_cast<int>(found - columns.begin()));
  }
  return places;
}

}  // namespace

MemoryTable read_joined_files(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::vector<TextCodes> known;
  std::vector<std::vector<std::int32_t>> codes;
  MemoryTable table;
  for (const std::string& path : paths) {
    DuckdbTable file(path);
    if (names.empty()) {
      names = file.columns();
      known.resize(names.size());
      codes.resize(names.size());
    }
    file.select(places_of(names, file.columns(), path, paths[0]));
    while (file.read()) {
      table.rows += static_cast<std::int64_t>(file.row_count());
      for (std::size_t i = 0; i < names.size(); ++i) {
        for (const Cell& cell : file.cells(i)) {
          codes[i].push_back(cell.text.empty() ? -1 : known[i].code_of(cell.text));
        }
      }
    }
  }
  auto memory = std::make_shared<TableMemory>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    MemoryColumn column;
    column.name = names[i];
    set_codes(column, std::move(codes[i]), std::move(known[i].texts()), *memory);
    table.columns.push_back(std::move(column));
  }
  table.owner = std::move(memory);
  return table;
}

}  // namespace interpole::data
