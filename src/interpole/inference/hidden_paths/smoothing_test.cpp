#include "interpole/inference/hidden_paths/smoothing.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "interpole/inference/oracle_testing.hpp"

namespace interpole::inference {
namespace {

using testing::random_parameters;
using testing::random_records;
using testing::some_structure;

// Expected counts by listing every hidden path of every record.
Dynamics enumerate(const Structure& structure, const Dynamics& p, const std::vector<Record>& records) {
  const int S = structure.state_count();
  const int Z = structure.observation_count();
  Dynamics expected = Dynamics::filled(structure, 0.0);
  for (const Record& record : records) {
    int updates = static_cast<int>(record.steps.size());
    if (updates > 0 && record.steps.back().observation == kMissing) --updates;
    const double evidence = std::exp(testing::log_probability_by_enumeration(structure, p, record));
    std::vector<int> path(updates + 1, 0);
    while (true) {
      double weight = p.initial[path[0]] / evidence;
      for (int t = 0; t < updates; ++t) {
        const auto [a, z, gap] = record.steps[t];
        weight *= p.transition[(a * S + path[t]) * S + path[t + 1]];
        if (z != kMissing) weight *= p.observation[(a * S + path[t + 1]) * Z + z];
      }
      expected.initial[path[0]] += weight;
      for (int t = 0; t < updates; ++t) {
        const auto [a, z, gap] = record.steps[t];
        expected.transition[(a * S + path[t]) * S + path[t + 1]] += weight;
        if (z != kMissing) expected.observation[(a * S + path[t + 1]) * Z + z] += weight;
      }
      int digit = 0;
      while (digit <= updates && ++path[digit] == S) path[digit++] = 0;
      if (digit > updates) break;
    }
  }
  return expected;
}

void expect_near(const std::vector<double>& x, const std::vector<double>& y, double tolerance) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], tolerance);
}

TEST(Smoothing, MatchesEnumerationOfAllPaths) {
  for (int trial = 0; trial < 100; ++trial) {
    base::RandomStream random(31, trial);
    const auto structure = some_structure(1 + trial % 3, 1 + trial % 3, 1 + trial % 4);
    const auto p = random_parameters(structure, random, trial % 2 == 0 ? 1.0 : 0.2);
    const auto records = random_records(structure, p, 8, 6, trial);
    const auto tree = build_history_tree(structure.action_count(), records);
    const auto counts = smooth(tree, structure, p.dynamics);
    const auto exact = enumerate(structure, p.dynamics, records);
    double log_likelihood = 0.0;
    for (const Record& record : records) {
      log_likelihood += testing::log_probability_by_enumeration(structure, p.dynamics, record);
    }
    EXPECT_NEAR(counts.log_likelihood, log_likelihood, 1e-10);
    expect_near(counts.expected.initial, exact.initial, 1e-10);
    expect_near(counts.expected.transition, exact.transition, 1e-10);
    expect_near(counts.expected.observation, exact.observation, 1e-10);
  }
}

TEST(Smoothing, KeepsTheNumberOfRecordsAtEveryNode) {
  base::RandomStream random(32);
  const auto structure = some_structure(3, 3, 3);
  const auto p = random_parameters(structure, random);
  const auto tree = build_history_tree(3, random_records(structure, p, 500, 10, 1));
  const auto counts = smooth(tree, structure, p.dynamics);
  for (int node = 0; node < tree.node_count(); ++node) {
    const double sum = std::accumulate(&counts.gamma[3ul * node], &counts.gamma[3ul * node] + 3, 0.0);
    EXPECT_NEAR(sum, static_cast<double>(tree.passes[node]), 1e-9 * static_cast<double>(tree.passes[0]));
  }
}

TEST(Smoothing, NamesAnImpossibleOutcome) {
  const auto structure = some_structure(1, 1, 2);
  auto p = Parameters::filled(structure, 0.0);
  p.dynamics = {{1.0}, {1.0}, {1.0, 0.0}};
  const auto tree = build_history_tree(1, std::vector<Record>{{"p", {{0, 0}, {0, 1}}}});
  const auto counts = smooth(tree, structure, p.dynamics);
  ASSERT_TRUE(counts.impossible_node);
  EXPECT_EQ(tree.depth[*counts.impossible_node], 2);
}

}  // namespace
}  // namespace interpole::inference
