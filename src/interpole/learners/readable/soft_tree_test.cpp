#include "interpole/learners/readable/soft_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learners {
namespace {

using Complex = std::complex<double>;

// The definition once more, one record at a time, for any kind of number.
template <class T>
T scalar_loss(const SoftTreeShape& shape, const std::vector<T>& parameters,
              const std::vector<Record>& records, std::vector<std::vector<T>>* policies = nullptr) {
  const SoftTreeWeights weights(shape);
  const auto at = [&](const WeightBlock& block, int row, int column) {
    return parameters[block.offset + static_cast<std::size_t>(row) * block.columns + column];
  };
  T sum(0);
  double decisions = 0.0;
  for (const Record& record : records) {
    std::vector<T> memory(shape.memory, T(0));
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      std::vector<int> inputs = {0};
      if (t > 0) {
        const Step& last = record.steps[t - 1];
        inputs = {1 + last.action,
                  1 + shape.actions + (last.observation == kMissing ? shape.outcomes : last.observation)};
      }
      std::vector<T> policy(shape.actions, T(0)), next(shape.memory, T(0));
      for (int leaf = 0; leaf < shape.leaves(); ++leaf) {
        T p(1);
        int node = 0;
        for (int level = shape.depth - 1; level >= 0; --level) {
          T score = at(weights.split_bias, 0, node);
          for (const int input : inputs) score += at(weights.split_input, input, node);
          for (int m = 0; m < shape.memory; ++m) score += at(weights.split_memory, m, node) * memory[m];
          const T right = T(1) / (T(1) + std::exp(-score));
          const bool goes_right = (leaf >> level) & 1;
          p *= goes_right ? right : T(1) - right;
          node = 2 * node + (goes_right ? 2 : 1);
        }
        T normaliser(0);
        for (int a = 0; a < shape.actions; ++a) normaliser += std::exp(at(weights.leaf_policy, leaf, a));
        for (int a = 0; a < shape.actions; ++a) {
          policy[a] += p * std::exp(at(weights.leaf_policy, leaf, a)) / normaliser;
        }
        for (int m = 0; m < shape.memory; ++m) {
          next[m] +=
              p * std::tanh(at(weights.memory_bias, leaf, m) + at(weights.memory_keep, leaf, m) * memory[m]);
        }
      }
      memory = next;
      sum -= std::log(policy[record.steps[t].action]);
      ++decisions;
      if (policies != nullptr) policies->push_back(policy);
    }
  }
  return sum / decisions;
}

struct SoftTreeCase {
  SoftTreeShape shape{3, 2, 2, 3};
  std::vector<Record> records;
  std::vector<double> weights;
  explicit SoftTreeCase(std::uint64_t seed) {
    const Structure structure = testing::some_structure(2, 3, 2);
    base::RandomStream random(seed);
    Parameters agent = testing::random_parameters(structure, random);
    agent.policy.inverse_temperature = 0.5;
    records = testing::random_records(structure, agent, 30, 6, seed, 0.2);
    weights = initial_soft_tree(shape, 1.0, random);
  }
};

TEST(SoftTree, MatchesTheDefinitionRecordByRecord) {
  const SoftTreeCase data(1);
  const HistoryTree tree = build_history_tree(3, data.records);
  const DecisionCounts all = DecisionCounts::all_of(tree);
  std::vector<double> gradient(data.weights.size());
  std::vector<std::vector<double>> expected;
  const double loss = scalar_loss(data.shape, data.weights, data.records, &expected);
  EXPECT_NEAR(SoftTreeNetwork(data.shape, tree, true).evaluate(data.weights, all, all, gradient).training,
              loss, 1e-13);
  std::vector<double> leaves;
  const auto policies = SoftTreeNetwork(data.shape, tree, false).policies(data.weights, &leaves);
  std::size_t decision = 0;
  for (const Record& record : data.records) {
    for (const int node : tree.path_of(record.steps)) {
      for (int a = 0; a < 3; ++a) ASSERT_NEAR(policies[node * 3 + a], expected[decision][a], 1e-13);
      double sum = 0.0;
      for (int l = 0; l < 4; ++l) sum += leaves[node * 4 + l];
      ASSERT_NEAR(sum, 1.0, 1e-12);
      ++decision;
    }
  }
}

TEST(SoftTree, GradientMatchesTheComplexStepAndAWrongOneDoesNot) {
  for (const std::uint64_t seed : {1, 2}) {
    const SoftTreeCase data(seed);
    const HistoryTree tree = build_history_tree(3, data.records);
    const DecisionCounts all = DecisionCounts::all_of(tree);
    std::vector<double> gradient(data.weights.size());
    SoftTreeNetwork(data.shape, tree, true).evaluate(data.weights, all, all, gradient);
    double worst = 0.0, largest = 0.0, worst_wrong = 0.0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      std::vector<Complex> point(data.weights.begin(), data.weights.end());
      point[i] += Complex(0.0, 1e-30);
      const double exact = scalar_loss(data.shape, point, data.records).imag() / 1e-30;
      worst = std::max(worst, std::abs(exact - gradient[i]));
      worst_wrong = std::max(worst_wrong, std::abs(exact - 1.001 * gradient[i]));
      largest = std::max(largest, std::abs(exact));
    }
    EXPECT_LT(worst / largest, 1e-12);
    EXPECT_GT(worst_wrong / largest, 1e-6);
  }
}

TEST(SoftTree, StaysFiniteOnLongRecords) {
  const SoftTreeShape shape{2, 1, 2, 2};
  base::RandomStream random(1);
  std::vector<double> weights = initial_soft_tree(shape, 30.0, random);
  Record longest;
  for (int t = 0; t < 20'000; ++t) longest.steps.push_back({t % 2, 0});
  const HistoryTree tree = build_history_tree(2, std::vector<Record>{longest});
  const DecisionCounts all = DecisionCounts::all_of(tree);
  std::vector<double> gradient(weights.size());
  EXPECT_TRUE(
      std::isfinite(SoftTreeNetwork(shape, tree, true).evaluate(weights, all, all, gradient).training));
  for (const double g : gradient) ASSERT_TRUE(std::isfinite(g));
}

}  // namespace
}  // namespace interpole::learners
