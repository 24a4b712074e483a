#include "interpole/explain/policy/side_boundaries.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/boundary.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::explain {
namespace {

TEST(SideBoundaries, OfBiasAreWhereTheMeansSayTheyAre) {
  // Means (0.5, 0.5), (1.3, −0.3), (−0.3, 1.3): boundaries half-way, at beliefs 0.1 and 0.9.
  const auto structure = testing::bias_study().structure;
  const auto found = side_boundaries(structure, testing::bias_parameters().policy);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].before, 1);
  EXPECT_EQ(found[0].after, 0);
  EXPECT_NEAR(found[0].position, 0.1, 1e-12);
  EXPECT_EQ(found[1].after, 2);
  EXPECT_NEAR(found[1].position, 0.9, 1e-12);
}

TEST(SideBoundaries, AreWhereTheLikeliestActionChangesAlongASide) {
  for (int trial = 0; trial < 50; ++trial) {
    base::RandomStream random(5, trial);
    const Structure structure = testing::some_structure(3, 4, 2);
    const Policy policy = testing::random_parameters(structure, random).policy;
    const auto found = side_boundaries(structure, policy);
    // Walk along every side in small steps and count the changes.
    constexpr int kSteps = 4000;
    std::size_t changes = 0;
    for (int from = 0; from < 3; ++from) {
      for (int to = from + 1; to < 3; ++to) {
        int last = -1;
        for (int i = 0; i <= kSteps; ++i) {
          std::vector<double> belief(3, 0.0);
          belief[to] = i / static_cast<double>(kSteps);
          belief[from] = 1.0 - belief[to];
          const int now = most_likely_action(structure, policy, belief);
          if (last >= 0 && now != last) {
            ++changes;
            const bool known = std::any_of(found.begin(), found.end(), [&](const SideBoundary& b) {
              return b.from == from && b.to == to && b.before == last && b.after == now &&
                     std::abs(b.position - belief[to]) < 2.0 / kSteps;
            });
            EXPECT_TRUE(known) << "trial " << trial;
          }
          last = now;
        }
      }
    }
    EXPECT_EQ(found.size(), changes) << "trial " << trial;
  }
}

TEST(SideBoundaries, CarryTheSpreadOfTheDraws) {
  const auto structure = testing::bias_study().structure;
  std::vector<AgentWorld> draws;
  for (int i = 0; i < 4000; ++i) {
    base::RandomStream random(9, i);
    AgentWorld draw{testing::bias_parameters(), {}};
    // The boundary with monitoring is half-way between the means: it moves by half of what a mean moves.
    const double move = 0.04 * random.normal();
    draw.agent.policy.means[2] += move;
    draw.agent.policy.means[3] -= move;
    draws.push_back(draw);
  }
  const auto found = estimate_side_boundaries(structure, testing::bias_parameters().policy, draws, 0.95);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].position.middle, 0.1, 0.002);
  EXPECT_NEAR(found[0].position.high - found[0].position.low, 2.0 * 1.96 * 0.02, 0.004);
  EXPECT_EQ(found[1].position.high, found[1].position.low);
  EXPECT_GT(found[0].present, 0.999);
}

TEST(SideBoundaries, AreSaidWithoutBeliefsThatThereAreNot) {
  EXPECT_EQ(shown_position({0.43, 0.40, 0.45}), "43% [40, 45]");
  EXPECT_EQ(shown_position({0.43, -22.02, 22.54}), "a belief that is not determined");
  EXPECT_EQ(shown_position({0.90, 0.81, 1.30}), "90% [81, 100] or at no belief");
  EXPECT_EQ(shown_position({0.12, -0.1, 0.3}), "12% [0, 30] or at any belief");
  EXPECT_EQ(shown_position({1.10, 0.90, 1.30}), "100% [90, 100] or more likely at no belief");
  EXPECT_EQ(shown_position({1.10, 1.05, 1.30}), "no belief there is: it lies beyond certainty");
}

}  // namespace
}  // namespace interpole::explain
