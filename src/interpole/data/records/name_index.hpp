// Names to their positions in a list, without allocating: what turns millions of cells into indices.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/base/open_addressing.hpp"

namespace interpole::data {

class NameIndex {
 public:
  // The names must outlive the index and differ from each other.
  explicit NameIndex(std::span<const std::string> names);

  // −1 if there is none of that name.
  int find(std::string_view name) const {
    return slots_[base::probe(slots_, hash(name), [&](auto i) { return i < 0 || names_[i] == name; })];
  }

  std::span<const std::string> names() const { return names_; }

 private:
  static std::size_t hash(std::string_view name);

  std::span<const std::string> names_;
  std::vector<std::int32_t> slots_;  // open addressing; −1: free
};

}  // namespace interpole::data
