// Names to their positions in a list, without allocating: what turns millions of cells into indices.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace interpole::data {

class NameIndex {
 public:
  // The names must outlive the index and differ from each other.
  explicit NameIndex(std::span<const std::string> names);

  // −1 if there is none of that name.
  int find(std::string_view name) const {
    for (std::size_t slot = hash(name) & mask_; slots_[slot] >= 0; slot = (slot + 1) & mask_) {
      if (names_[slots_[slot]] == name) return slots_[slot];
    }
    return -1;
  }

  std::span<const std::string> names() const { return names_; }

 private:
  static std::size_t hash(std::string_view name);

  std::span<const std::string> names_;
  std::vector<std::int32_t> slots_;  // open addressing, at most half full; −1: free
  std::size_t mask_ = 0;
};

}  // namespace interpole::data
