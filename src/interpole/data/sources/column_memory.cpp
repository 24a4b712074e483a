#include "interpole/data/sources/column_memory.hpp"

#include <functional>

#include "interpole/base/open_addressing.hpp"

namespace interpole::data {
namespace {

std::size_t text_hash(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

}  // namespace

std::int32_t TextCodes::code_of(std::string_view text) {
  const std::size_t at = base::probe(slots_, text_hash(text), [&](std::int32_t code) {
    return code < 0 || texts_[static_cast<std::size_t>(code)] == text;
  });
  if (slots_[at] >= 0) return slots_[at];
  const auto code = static_cast<std::int32_t>(texts_.size());
  slots_[at] = code;
  texts_.emplace_back(text);
  if (2 * texts_.size() > slots_.size()) grow();
  return code;
}

void TextCodes::grow() {
  slots_.assign(slots_.size() * 4, -1);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    slots_[base::probe(slots_, text_hash(texts_[i]), [](std::int32_t code) { return code < 0; })] =
        static_cast<std::int32_t>(i);
  }
}

void set_codes(MemoryColumn& column, std::vector<std::int32_t> codes, std::vector<std::string> categories,
               TableMemory& memory) {
  column.codes = *memory.codes.emplace_back(std::make_unique<std::vector<std::int32_t>>(std::move(codes)));
  column.categories =
      *memory.categories.emplace_back(std::make_unique<std::vector<std::string>>(std::move(categories)));
}

void set_whole_numbers(MemoryColumn& column, std::vector<std::int64_t> numbers, TableMemory& memory) {
  column.whole_numbers =
      *memory.whole_numbers.emplace_back(std::make_unique<std::vector<std::int64_t>>(std::move(numbers)));
}

void set_numbers(MemoryColumn& column, std::vector<double> numbers, TableMemory& memory) {
  column.numbers = *memory.numbers.emplace_back(std::make_unique<std::vector<double>>(std::move(numbers)));
}

}  // namespace interpole::data
