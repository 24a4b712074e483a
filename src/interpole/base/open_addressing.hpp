// Hash tables with open addressing, where std::unordered_map would be too slow or too large. Whoever has one
// owns its slots: a power of two of them, at most half full.
#pragma once

#include <cstddef>
#include <vector>

namespace interpole::base {

// The first slot from `hash` on for which `ends(slot)` holds: it is free, or has what is looked for.
template <class Slot, class Ends>
std::size_t probe(const std::vector<Slot>& slots, std::size_t hash, const Ends& ends) {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = hash & mask;
  while (!ends(slots[at])) at = (at + 1) & mask;
  return at;
}

}  // namespace interpole::base
