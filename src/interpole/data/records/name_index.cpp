#include "interpole/data/records/name_index.hpp"

#include <bit>
#include <functional>

namespace interpole::data {

NameIndex::NameIndex(std::span<const std::string> names) : names_(names) {
  slots_.assign(std::bit_ceil(2 * names.size() + 1), -1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    slots_[base::probe(slots_, hash(names[i]), [](auto x) { return x < 0; })] = static_cast<std::int32_t>(i);
  }
}

std::size_t NameIndex::hash(std::string_view name) {
  return std::hash<std::string_view>{}(name);
}

}  // namespace interpole::data
