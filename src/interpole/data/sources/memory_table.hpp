// A table in memory behind the path it is known by, and its cells as text: what a CSV file would hold.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include "interpole/base/memory/memory_file.hpp"
#include "interpole/data_files.hpp"

namespace interpole::data {

class MemoryTableContent : public base::MemoryContent {
 public:
  explicit MemoryTableContent(MemoryTable table) : table_(std::move(table)) {}
  const MemoryTable& table() const { return table_; }
  void read(const std::function<void(std::string_view)>& take) const override;

 private:
  MemoryTable table_;
};

// Null if the path is not that of a table in memory.
std::shared_ptr<const MemoryTableContent> memory_table(const std::string& path);

inline bool has_value(const MemoryColumn& column, std::size_t row) {
  if (column.valid != nullptr) {
    const std::size_t bit = row + static_cast<std::size_t>(column.valid_offset);
    if ((column.valid[bit / 8] >> (bit % 8) & 1U) == 0) return false;
  }
  if (!column.codes.empty()) return column.codes[row] >= 0;
  return column.numbers.empty() || !std::isnan(column.numbers[row]);
}

// Room for a number as text.
using CellBuffer = std::array<char, 32>;

// Empty where there is no value. Valid as long as the table, or until the buffer is used again.
std::string_view cell_text(const MemoryColumn& column, std::size_t row, CellBuffer& buffer);

}  // namespace interpole::data
