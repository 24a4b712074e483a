#include "interpole/planning/fixed_points/distinct_vectors.hpp"

#include <gtest/gtest.h>

namespace interpole::planning {
namespace {

TEST(DistinctVectors, TakesEachVectorOnceForEachAction) {
  DistinctVectors distinct(5);
  AlphaVectors vectors{2, {}, {}};
  const auto add = [&](int action, std::vector<double> vector) {
    return distinct.add_unless_there(vectors, action, vector);
  };
  EXPECT_TRUE(add(0, {1.0, 0.0}));
  EXPECT_FALSE(add(0, {1.0, -0.0}));
  EXPECT_TRUE(add(1, {1.0, 0.0}));
  EXPECT_TRUE(add(0, {1.0, 1e-300}));
  EXPECT_FALSE(add(1, {1.0, 0.0}));
  EXPECT_EQ(vectors, (AlphaVectors{2, {0, 1, 0}, {1.0, 0.0, 1.0, 0.0, 1.0, 1e-300}}));
}

TEST(DistinctVectors, HoldsAsManyAsAnnouncedAndForgetsThem) {
  constexpr int kMost = 64;  // as slots are few, some must be looked for beyond the first
  DistinctVectors distinct(kMost);
  for (int round = 0; round < 2; ++round) {
    AlphaVectors vectors{1, {}, {}};
    for (int i = 0; i < kMost; ++i) {
      EXPECT_TRUE(distinct.add_unless_there(vectors, 0, std::vector<double>{i / 8.0}));
    }
    for (int i = 0; i < kMost; ++i) {
      EXPECT_FALSE(distinct.add_unless_there(vectors, 0, std::vector<double>{i / 8.0}));
    }
    EXPECT_EQ(vectors.size(), static_cast<std::size_t>(kMost));
    distinct.clear();
  }
}

}  // namespace
}  // namespace interpole::planning
