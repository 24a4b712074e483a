#include "interpole/data/joined_files.hpp"

#include <numeric>

#include "interpole/data/sources/column_memory.hpp"
#include "interpole/data/tables/duckdb_table.hpp"

namespace interpole::data {

MemoryTable read_joined_files(const std::vector<std::string>& paths) {
  MemoryTable table;
  if (paths.empty()) return table;
  DuckdbTable parts(paths);
  const std::vector<std::string>& names = parts.columns();
  std::vector<TextCodes> known(names.size());
  std::vector<std::vector<std::int32_t>> codes(names.size());
  std::vector<int> all(names.size());
  std::iota(all.begin(), all.end(), 0);
  parts.select(all);
  while (parts.read()) {
    table.rows += static_cast<std::int64_t>(parts.row_count());
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (const Cell& cell : parts.cells(i)) {
        codes[i].push_back(cell.text.empty() ? -1 : known[i].code_of(cell.text));
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
