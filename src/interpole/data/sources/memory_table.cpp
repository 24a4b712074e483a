#include "interpole/data/sources/memory_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpole/base/files/csv.hpp"
#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole {
namespace {

bool has_rows(const MemoryColumn& column, std::size_t rows) {
  const auto& texts = column.texts;
  if (!column.codes.empty()) return column.codes.size() == rows;
  if (!column.whole_numbers.empty()) return column.whole_numbers.size() == rows;
  if (!column.numbers.empty()) return column.numbers.size() == rows;
  if (!texts.long_ends.empty()) return texts.long_ends.size() == rows + 1;
  return texts.ends.size() == rows + 1 || rows == 0;
}

}  // namespace

void MemoryTable::validate(const std::string& where) const {
  if (columns.empty()) throw input_error(fmt::format("{}: there are no columns; give at least one", where));
  std::set<std::string_view> names;
  for (const MemoryColumn& column : columns) {
    if (column.name.empty()) {
      throw input_error(fmt::format("{}: column {} has no name; give it one", where, names.size() + 1));
    }
    if (!names.insert(column.name).second) {
      throw input_error(
          fmt::format("{}: two columns are called {}; rename one", where, base::shown(column.name)));
    }
    if (!has_rows(column, static_cast<std::size_t>(rows))) {
      throw input_error(
          fmt::format("{}: column {} has not {} rows like the others; give all columns "
                      "the same length",
                      where, base::shown(column.name), rows));
    }
    const auto known = static_cast<std::int64_t>(column.categories.size());
    if (std::any_of(column.codes.begin(), column.codes.end(), [&](auto code) { return code >= known; })) {
      throw input_error(fmt::format("{}: column {} has a code beyond its {} categories; correct the codes",
                                    where, base::shown(column.name), known));
    }
  }
}

struct HeldTable::Implementation {
  Implementation(const std::string& name, MemoryTable table)
      : file(name, std::make_shared<data::MemoryTableContent>(std::move(table))) {}
  base::MemoryFile file;
};

HeldTable::HeldTable(const std::string& name, MemoryTable table) {
  table.validate(name);
  implementation_ = std::make_unique<Implementation>(name, std::move(table));
}
HeldTable::~HeldTable() = default;
HeldTable::HeldTable(HeldTable&&) noexcept = default;
HeldTable& HeldTable::operator=(HeldTable&&) noexcept = default;

const std::string& HeldTable::path() const {
  return implementation_->file.path();
}

}  // namespace interpole

namespace interpole::data {

std::shared_ptr<const MemoryTableContent> memory_table(const std::string& path) {
  return std::dynamic_pointer_cast<const MemoryTableContent>(base::memory_content(path));
}

std::string_view cell_text(const MemoryColumn& column, std::size_t row, CellBuffer& buffer) {
  if (!has_value(column, row)) return {};
  if (!column.codes.empty()) return column.categories[static_cast<std::size_t>(column.codes[row])];
  const auto& texts = column.texts;
  if (!texts.ends.empty()) {
    return {texts.bytes + texts.ends[row], static_cast<std::size_t>(texts.ends[row + 1] - texts.ends[row])};
  }
  if (!texts.long_ends.empty()) {
    return {texts.bytes + texts.long_ends[row],
            static_cast<std::size_t>(texts.long_ends[row + 1] - texts.long_ends[row])};
  }
  const auto written = column.whole_numbers.empty()
                           ? fmt::format_to_n(buffer.data(), buffer.size(), "{}", column.numbers[row])
                           : fmt::format_to_n(buffer.data(), buffer.size(), "{}", column.whole_numbers[row]);
  return {buffer.data(), written.size};
}

void MemoryTableContent::read(const std::function<void(std::string_view)>& take) const {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::string piece;
  for (const MemoryColumn& column : table_.columns) {
    piece += (piece.empty() ? "" : ",") + base::csv_cell(column.name);
  }
  piece += '\n';
  CellBuffer buffer;
  for (std::size_t row = 0; row < static_cast<std::size_t>(table_.rows); ++row) {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (i > 0) piece += ',';
      const std::string_view cell = cell_text(table_.columns[i], row, buffer);
      if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
        piece += cell;
      } else {
        piece += base::csv_cell(cell);
      }
    }
    piece += '\n';
    if (piece.size() < kPiece) continue;
    take(piece);
    piece.clear();
  }
  take(piece);
}

}  // namespace interpole::data
