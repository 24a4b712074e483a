#include "interpole/planning/fixed_points/distinct_vectors.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "interpole/base/open_addressing.hpp"

namespace interpole::planning {
namespace {

constexpr int kFree = -1;

std::uint64_t hash_of(int action, std::span<const double> vector) {
  auto bits = static_cast<std::uint64_t>(action);
  for (const double x : vector) {
    bits = std::rotl(bits, 21) ^ std::bit_cast<std::uint64_t>(x + 0.0);  // −0 and 0 are the same number
  }
  bits *= 0x9E3779B97F4A7C15u;  // 2⁶⁴ / golden ratio: spreads all bits over the upper half
  return bits >> 32;
}

}  // namespace

DistinctVectors::DistinctVectors(std::size_t most) : slots_(std::bit_ceil(2 * most + 1), kFree) {}

void DistinctVectors::clear() {
  std::fill(slots_.begin(), slots_.end(), kFree);
}

bool DistinctVectors::add_unless_there(AlphaVectors& vectors, int action, std::span<const double> vector) {
  int& slot = slots_[base::probe(slots_, hash_of(action, vector), [&](int k) {
    return k == kFree || (vectors.actions[k] == action && std::ranges::equal(vector, vectors.row(k)));
  })];
  if (slot != kFree) return false;
  slot = static_cast<int>(vectors.size());
  vectors.add(action, vector);
  return true;
}

}  // namespace interpole::planning
