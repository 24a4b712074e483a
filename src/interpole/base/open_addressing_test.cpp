#include "interpole/base/open_addressing.hpp"

#include <gtest/gtest.h>

namespace interpole::base {
namespace {

TEST(Probe, GoesOnFromTheHashAndAroundTheEndToWhatItLooksForOrAFreeSlot) {
  const std::vector<int> slots = {7, -1, -1, 5};
  const auto slot_of = [&](std::size_t hash, int wanted) {
    return probe(slots, hash, [&](int slot) { return slot < 0 || slot == wanted; });
  };
  EXPECT_EQ(slot_of(3, 5), 3u);
  EXPECT_EQ(slot_of(3, 7), 0u);
  EXPECT_EQ(slot_of(3, 9), 1u);
  EXPECT_EQ(slot_of(7, 7), 0u) << "only as many bits of the hash count as there are slots";
}

}  // namespace
}  // namespace interpole::base
