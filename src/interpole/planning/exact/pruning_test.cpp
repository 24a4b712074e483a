#include "interpole/planning/exact/pruning.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

using testing::some_beliefs;

// Planes that touch the bowl Σ b² at random beliefs: each is highest where it touches.
AlphaVectors tangents(int states, int count, double lowered, std::uint64_t seed) {
  base::RandomStream random(seed, 0, base::RandomPurpose(80));
  AlphaVectors result{states, {}, {}};
  for (int i = 0; i < count; ++i) {
    const auto at = random.dirichlet(states);
    std::vector<double> vector(at.size());
    for (std::size_t s = 0; s < at.size(); ++s) vector[s] = 2 * at[s] - expectation(at, at) - lowered;
    result.add(i, vector);
  }
  return result;
}

AlphaVectors together(const AlphaVectors& a, const AlphaVectors& b) {
  AlphaVectors all = a;
  for (std::size_t i = 0; i < b.size(); ++i) all.add(b.actions[i], b.row(i));
  return all;
}

TEST(Witness, FindsTheBeliefThatMakesTheLeastRowLargest) {
  WitnessProgram program(3);
  // The rows meet at the centre, where each is worth a third.
  const std::vector<double> rows = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto answer = program.maximise(rows);
  EXPECT_NEAR(answer.reached, 1.0 / 3, 1e-12);
  EXPECT_NEAR(answer.bound, 1.0 / 3, 1e-12);
  for (const double b : program.belief()) EXPECT_NEAR(b, 1.0 / 3, 1e-12);
}

TEST(Witness, AgreesWithAFineGrid) {
  for (int seed = 0; seed < 20; ++seed) {
    base::RandomStream random(seed, 0, base::RandomPurpose(81));
    std::vector<double> rows(120);
    for (double& x : rows) x = 10 * random.normal();
    WitnessProgram program(3);
    const auto answer = program.maximise(rows);
    double best = -INFINITY;
    const int n = 100;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        const std::vector<double> belief = {i / 100.0, j / 100.0, (n - i - j) / 100.0};
        double least = INFINITY;
        for (std::size_t r = 0; r < 40; ++r) {
          least = std::min(least, expectation(std::span(rows).subspan(3 * r, 3), belief));
        }
        best = std::max(best, least);
      }
    }
    EXPECT_NEAR(answer.reached, answer.bound, 1e-10);
    EXPECT_GE(answer.bound, best - 1e-10);
    EXPECT_LE(answer.bound, best + 1.0);  // rows change by up to about 60 over the simplex, 0.6 a grid step
    // Deciding takes the same side.
    EXPECT_GT(program.decide(rows, answer.bound - 0.01).reached, answer.bound - 0.01);
    EXPECT_LE(program.decide(rows, answer.bound + 0.01).bound, answer.bound + 0.01);
  }
}

TEST(Pruner, KeepsExactlyTheVectorsThatAreNeeded) {
  for (const int states : {3, 4, 6}) {
    const AlphaVectors needed = tangents(states, 40, 0.0, 1);
    const AlphaVectors useless = tangents(states, 40, 1.0, 2);
    Pruner pruner(states, {1e-12}, quiet_sink());
    const AlphaVectors kept = pruner.prune(together(useless, needed));
    EXPECT_EQ(kept.size(), needed.size());
    for (const auto& belief : some_beliefs(states, 200)) {
      EXPECT_EQ(value_at(kept, belief), value_at(needed, belief));
    }
  }
}

TEST(Pruner, LosesNoMoreThanItsTolerance) {
  const AlphaVectors vectors = tangents(3, 300, 0.0, 3);
  Pruner pruner(3, {0.01}, quiet_sink());
  const AlphaVectors kept = pruner.prune(vectors);
  EXPECT_LT(kept.size(), 100U);
  for (const auto& belief : some_beliefs(3, 500)) {
    EXPECT_GE(value_at(kept, belief), value_at(vectors, belief) - 0.01 - 1e-12);
  }
}

TEST(Pruner, KeepsOneOfEquals) {
  AlphaVectors vectors = tangents(3, 5, 0.0, 4);
  Pruner pruner(3, {1e-12}, quiet_sink());
  EXPECT_EQ(pruner.prune(together(vectors, vectors)).size(), 5U);
}

TEST(Pruner, SumsArePointwise) {
  const AlphaVectors a = tangents(3, 12, 0.0, 5);
  const AlphaVectors b = tangents(3, 9, 0.3, 6);
  Pruner pruner(3, {1e-12}, quiet_sink());
  const AlphaVectors sums = pruner.prune_sums(a, b);
  EXPECT_LT(sums.size(), 12U * 9U);
  for (const auto& belief : some_beliefs(3, 200)) {
    EXPECT_NEAR(value_at(sums, belief), value_at(a, belief) + value_at(b, belief), 1e-12);
  }
}

TEST(Pruner, ExcessIsThatOfTheWorstBelief) {
  const AlphaVectors low = tangents(3, 30, 0.25, 7);
  AlphaVectors high = low;
  for (double& x : high.values) x += 0.5;
  Pruner pruner(3, {1e-12}, quiet_sink());
  EXPECT_NEAR(pruner.largest_excess(high, low), 0.5, 1e-10);
  EXPECT_NEAR(pruner.largest_excess(low, high), -0.5, 1e-10);
}

}  // namespace
}  // namespace interpole::planning
