#include "interpole/inference/hidden_paths/path_draws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "interpole/inference/hidden_paths/smoothing.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::inference {
namespace {

using testing::random_parameters;
using testing::random_records;
using testing::some_structure;

// Four standard errors: of some hundred comparisons with a fixed seed none should lie beyond.
void expect_mean(double sum, double squares, int draws, double expected, const std::string& what) {
  const double mean = sum / draws;
  const double variance = squares / draws - mean * mean;
  EXPECT_NEAR(mean, expected, 4.0 * std::sqrt(std::max(variance, 0.0) / draws) + 1e-9) << what;
}

void expect_means(const std::vector<std::vector<double>>& draws, const std::vector<double>& expected,
                  const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double sum = 0.0;
    double squares = 0.0;
    for (const auto& draw : draws) {
      sum += draw[i];
      squares += draw[i] * draw[i];
    }
    expect_mean(sum, squares, static_cast<int>(draws.size()), expected[i], what + std::to_string(i));
  }
}

TEST(PathDraws, HaveTheSmoothedMarginalsAndPairs) {
  const Structure structure = some_structure(3, 3, 2);
  base::RandomStream random(11);
  const Parameters p = random_parameters(structure, random);
  const HistoryTree tree = build_history_tree(3, random_records(structure, p, 300, 6, 2, 0.15));
  const SmoothedCounts smoothed = smooth(tree, structure, p.dynamics);
  std::vector<std::vector<double>> initial, transition, observation, states;
  for (int i = 0; i < 2000; ++i) {
    const PathCounts drawn = draw_paths(tree, structure, p.dynamics, random);
    initial.push_back(drawn.counts.initial);
    transition.push_back(drawn.counts.transition);
    observation.push_back(drawn.counts.observation);
    states.emplace_back(drawn.states.begin(), drawn.states.end());
  }
  expect_means(initial, smoothed.expected.initial, "initial ");
  expect_means(transition, smoothed.expected.transition, "transition ");
  expect_means(observation, smoothed.expected.observation, "observation ");
  expect_means(states, smoothed.gamma, "state at node ");
}

// Three equal records on one branch: how often each combination of state counts occurs, against the sum over
// all joint paths of the three. Independent draws from smoothed marginals would fail this.
TEST(PathDraws, HaveTheJointDistributionOfAllPaths) {
  const Structure structure = some_structure(2, 2, 2);
  base::RandomStream random(5);
  const Dynamics p = random_parameters(structure, random).dynamics;
  const std::vector<Step> steps = {{0, 1}, {0, 0}};
  constexpr int kRecords = 3;
  HistoryTreeBuilder builder(2);
  builder.add(steps, kRecords);
  const HistoryTree tree = builder.build();

  std::vector<double> path_probability(8);  // s1 + 2·s2 + 4·s3
  double total = 0.0;
  for (int path = 0; path < 8; ++path) {
    const int s[3] = {path & 1, (path >> 1) & 1, path >> 2};
    double probability = p.initial[s[0]];
    for (int t = 0; t < 2; ++t) {
      probability *= p.transition[s[t] * 2 + s[t + 1]] * p.observation[s[t + 1] * 2 + steps[t].observation];
    }
    total += path_probability[path] = probability;
  }
  using Moves = std::vector<double>;  // the four transition counts and how many began in state 1
  std::map<Moves, double> exact;
  for (int all = 0; all < 512; ++all) {
    Moves moves(5, 0.0);
    double probability = 1.0;
    for (int record = 0; record < kRecords; ++record) {
      const int path = (all >> (3 * record)) & 7;
      probability *= path_probability[path] / total;
      moves[(path & 1) * 2 + ((path >> 1) & 1)] += 1.0;
      moves[((path >> 1) & 1) * 2 + (path >> 2)] += 1.0;
      moves[4] += path & 1;
    }
    exact[moves] += probability;
  }
  std::map<Moves, int> seen;
  constexpr int kDraws = 40'000;
  for (int i = 0; i < kDraws; ++i) {
    const PathCounts drawn = draw_paths(tree, structure, p, random);
    Moves moves(drawn.counts.transition.begin(), drawn.counts.transition.begin() + 4);
    moves.push_back(drawn.counts.initial[1]);
    ASSERT_TRUE(exact.contains(moves));
    ++seen[moves];
  }
  for (const auto& [moves, probability] : exact) {
    const double error = std::sqrt(probability * (1.0 - probability) / kDraws);
    EXPECT_NEAR(static_cast<double>(seen[moves]) / kDraws, probability, 4.0 * error);
  }
}

TEST(PathDraws, AgreeWithThemselvesAndWithTheRecords) {
  const Structure structure = some_structure(3, 3, 2);
  base::RandomStream random(7);
  const Parameters p = random_parameters(structure, random);
  const HistoryTree tree = build_history_tree(3, random_records(structure, p, 200, 8, 4, 0.2));
  const PathCounts drawn = draw_paths(tree, structure, p.dynamics, random);
  for (int node = 0; node < tree.node_count(); ++node) {
    std::int64_t sum = 0;
    for (int s = 0; s < 3; ++s) sum += drawn.states[node * 3 + s];
    EXPECT_EQ(sum, tree.passes[node]);
  }
  double moves = 0.0;
  for (const double n : drawn.counts.transition) moves += n;
  std::int64_t passes = 0;
  for (int node = 1; node < tree.node_count(); ++node) passes += tree.passes[node];
  EXPECT_EQ(moves, static_cast<double>(passes));
}

TEST(PathDraws, AreFixedByTheStream) {
  const Structure structure = some_structure(2, 2, 2);
  base::RandomStream random(3);
  const Parameters p = random_parameters(structure, random);
  const HistoryTree tree = build_history_tree(2, random_records(structure, p, 100, 5, 1));
  base::RandomStream once(9, 1, base::RandomPurpose(2));
  base::RandomStream again(9, 1, base::RandomPurpose(2));
  EXPECT_EQ(draw_paths(tree, structure, p.dynamics, once).states,
            draw_paths(tree, structure, p.dynamics, again).states);
}

TEST(PathDraws, NameTheFirstImpossibleOutcome) {
  const Structure structure = some_structure(2, 2, 2);
  Dynamics p = Dynamics::filled(structure, 0.5);
  p.observation = {1, 0, 1, 0, 0, 0, 0, 0};
  HistoryTreeBuilder builder(2);
  builder.add(std::vector<Step>{{0, 0}, {0, 1}});
  base::RandomStream random(1);
  EXPECT_EQ(draw_paths(builder.build(), structure, p, random).impossible_node, 2);
}

}  // namespace
}  // namespace interpole::inference
