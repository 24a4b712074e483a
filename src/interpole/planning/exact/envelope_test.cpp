#include "interpole/planning/exact/envelope.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/random.hpp"

namespace interpole::planning {
namespace {

using ::testing::ElementsAre;

std::vector<Line> random_lines(int seed, int count) {
  base::RandomStream random(seed, 0, base::RandomPurpose(79));
  std::vector<Line> lines(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) lines[static_cast<std::size_t>(i)] = {random.normal(), random.normal(), i};
  return lines;
}

double highest(const std::vector<Line>& lines, double p) {
  double best = -INFINITY;
  for (const Line& line : lines) best = std::max(best, line.at(p));
  return best;
}

TEST(Envelope, KeepsTheHighestLineEverywhere) {
  for (int seed = 0; seed < 50; ++seed) {
    const auto lines = random_lines(seed, 1 + seed % 20);
    const Envelope envelope = upper_envelope(lines, 0.0);
    for (int i = 0; i <= 200; ++i) {
      EXPECT_NEAR(value_at(envelope, i / 200.0), highest(lines, i / 200.0), 1e-14);
    }
    for (std::size_t i = 1; i < envelope.size(); ++i) EXPECT_LT(envelope[i - 1].slope(), envelope[i].slope());
  }
}

TEST(Envelope, DropsWhatIsHighestNowhere) {
  EXPECT_THAT(upper_envelope({{1, 0, 0}, {0, 1, 1}, {0.4, 0.4, 2}}, 0.0),
              ElementsAre(Line{1, 0, 0}, Line{0, 1, 1}));
  EXPECT_THAT(upper_envelope({{1, 0, 0}, {0, 1, 1}, {0.6, 0.6, 2}}, 0.0),
              ElementsAre(Line{1, 0, 0}, Line{0.6, 0.6, 2}, Line{0, 1, 1}));
  EXPECT_THAT(upper_envelope({{1, 2, 0}, {1, 2, 1}, {0, 2, 2}, {1, 1, 3}}, 0.0), ElementsAre(Line{1, 2, 0}));
}

TEST(Envelope, ThinningLosesNoMoreThanAllowed) {
  // Tangents of a parabola: every one is needed, none by much.
  std::vector<Line> tangents;
  for (int i = 0; i <= 100; ++i) {
    const double c = i / 100.0;
    tangents.push_back({-c * c, 2 * c - c * c, i});
  }
  std::size_t before = tangents.size() + 1;
  for (const double tolerance : {0.0, 1e-4, 1e-3, 1e-2, 1e-1}) {
    const Envelope thin = upper_envelope(tangents, tolerance);
    EXPECT_LT(thin.size(), before) << tolerance;
    before = thin.size();
    for (int i = 0; i <= 1000; ++i) {
      EXPECT_GE(value_at(thin, i / 1000.0), highest(tangents, i / 1000.0) - tolerance - 1e-15) << tolerance;
    }
  }
  EXPECT_EQ(upper_envelope(tangents, 0.0).size(), tangents.size());
}

TEST(Envelope, SumsArePointwise) {
  for (int seed = 0; seed < 30; ++seed) {
    const Envelope a = upper_envelope(random_lines(seed, 12), 0.0);
    const Envelope b = upper_envelope(random_lines(1000 + seed, 7), 0.0);
    const Envelope sum = sum_of(a, b);
    EXPECT_LE(sum.size(), a.size() + b.size() - 1);
    for (int i = 0; i <= 100; ++i) {
      EXPECT_NEAR(value_at(sum, i / 100.0), value_at(a, i / 100.0) + value_at(b, i / 100.0), 1e-13);
    }
  }
}

TEST(Envelope, ExcessIsFoundBetweenGridPoints) {
  const Envelope under = upper_envelope({{1, 0, 0}, {0, 1, 1}}, 0.0);
  EXPECT_DOUBLE_EQ(largest_excess({{0.75, 0.75, 0}}, under), 0.25);
  EXPECT_DOUBLE_EQ(largest_excess(under, {{0.75, 0.75, 0}}), 0.25);
  EXPECT_DOUBLE_EQ(largest_excess({{0.25, 0.25, 0}}, under), -0.25);
}

}  // namespace
}  // namespace interpole::planning
