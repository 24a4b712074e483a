#include "interpole/planning/fixed_points/highest_vectors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "interpole/base/random.hpp"

namespace interpole::planning {
namespace {

struct Case {
  std::size_t states;
  std::size_t points;
  std::size_t stride;           // beyond the points stand numbers nobody may look at
  std::vector<double> columns;  // [s·stride + i]
  std::vector<double> vectors;  // [k·S + s]

  double value(std::size_t k, std::size_t i) const {
    double sum = 0.0;
    for (std::size_t s = 0; s < states; ++s) sum += vectors[k * states + s] * columns[s * stride + i];
    return sum;
  }
  PointColumns table() const { return {columns.data(), stride, points, states}; }
};

Case random_case(std::size_t states, std::size_t points, std::size_t vectors) {
  base::RandomStream random(points, vectors, base::RandomPurpose(states));
  Case made{states, points, points + 3, std::vector<double>(states * (points + 3), NAN), {}};
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t i = 0; i < points; ++i) made.columns[s * made.stride + i] = random.uniform();
  }
  for (std::size_t i = 0; i < vectors * states; ++i) made.vectors.push_back(random.normal());
  return made;
}

// Products may be rounded or not before they are added (fused), so sums of up to seven terms of size one
// differ by a few units in the last place.
constexpr double kVectorRounding = 1e-14;

TEST(HighestVectors, EqualAPlainLoopForAnyNumberOfStatesPointsAndVectors) {
  for (std::size_t states = 1; states <= 7; ++states) {
    for (const std::size_t points : {0, 1, 2, 3, 5, 7, 8, 15, 31, 32, 64, 77}) {
      for (const std::size_t vectors : {1, 2, 9, 64}) {
        const Case made = random_case(states, points, vectors);
        std::vector<double> highest(points + 1, -7.0);
        std::vector<std::int64_t> which(points + 1, -7);
        std::vector<double> sums(points + 1, 2.5);
        find_highest(made.vectors, made.table(), highest.data(), which.data());
        add_highest(made.vectors, made.table(), sums.data());
        for (std::size_t i = 0; i < points; ++i) {
          std::size_t best = 0;
          for (std::size_t k = 1; k < vectors; ++k) {
            if (made.value(k, i) > made.value(best, i)) best = k;
          }
          ASSERT_EQ(which[i], static_cast<std::int64_t>(best)) << states << " " << points << " " << i;
          ASSERT_NEAR(highest[i], made.value(best, i), kVectorRounding);
          ASSERT_NEAR(sums[i], 2.5 + made.value(best, i), kVectorRounding);
        }
        EXPECT_EQ(highest[points], -7.0);  // nothing is written beyond the points
        EXPECT_EQ(which[points], -7);
        EXPECT_EQ(sums[points], 2.5);
      }
    }
  }
}

TEST(HighestVectors, OfEqualsTheFirstIsFound) {
  for (std::size_t states = 1; states <= 7; ++states) {
    Case made = random_case(states, 43, 5);
    std::vector<double> twice = made.vectors;
    twice.insert(twice.end(), made.vectors.begin(), made.vectors.end());
    for (std::size_t s = 0; s < states; ++s) made.columns[s * made.stride + 40] = 0.0;  // all are equal there
    std::vector<double> highest(43);
    std::vector<std::int64_t> which(43);
    find_highest(twice, made.table(), highest.data(), which.data());
    for (const std::int64_t k : which) EXPECT_LT(k, 5);
    EXPECT_EQ(which[40], 0);
    EXPECT_EQ(highest[40], 0.0);
  }
}

// The end of a table is worked on in narrower registers, which must not show.
TEST(HighestVectors, APointsValueDoesNotDependOnItsPlaceInTheTable) {
  for (std::size_t states = 1; states <= 7; ++states) {
    const Case made = random_case(states, 77, 20);
    std::vector<double> all(77);
    std::vector<std::int64_t> which(77);
    find_highest(made.vectors, made.table(), all.data(), which.data());
    for (std::size_t i = 0; i < 77; ++i) {
      double alone = 0.0;
      std::int64_t found = -1;
      find_highest(made.vectors, {made.columns.data() + i, made.stride, 1, states}, &alone, &found);
      EXPECT_EQ(alone, all[i]);
      EXPECT_EQ(found, which[i]);
    }
  }
}

}  // namespace
}  // namespace interpole::planning
