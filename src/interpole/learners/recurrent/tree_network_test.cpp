#include "interpole/learners/recurrent/tree_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/learners/recurrent/recurrent_network_testing.hpp"

namespace interpole::learners {
namespace {

// Any actions and outcomes, one in five missing; histories are shared because there are few of each.
std::vector<Record> random_steps(const NetworkShape& shape, int count, int most_steps, std::uint64_t seed) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    Record record;
    const int steps = 1 + static_cast<int>(random.uniform() * most_steps);
    for (int t = 0; t < steps; ++t) {
      const int action = static_cast<int>(random.uniform() * shape.actions);
      const int outcome = static_cast<int>(random.uniform() * shape.outcomes);
      record.steps.push_back({action, random.uniform() < 0.2 ? kMissing : outcome});
    }
    records.push_back(record);
  }
  return records;
}

// Larger than those training starts from, so that no gate is nearly linear.
std::vector<double> random_weights(const NetworkShape& shape, std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<double> weights = initial_weights(shape, 1.0, random);
  for (double& w : weights) w *= 2.0;
  return weights;
}

struct Evaluated {
  NetworkLoss loss;
  std::vector<double> gradient;
};

Evaluated evaluate(const NetworkShape& shape, const HistoryTree& tree, const std::vector<double>& weights,
                   int threads = 1) {
  const DecisionCounts all = DecisionCounts::all_of(tree);
  Evaluated result{{}, std::vector<double>(weights.size())};
  result.loss = TreeNetwork(shape, tree, true, threads).evaluate(weights, all, all, result.gradient);
  return result;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

// The largest disagreement of a gradient with the complex step, relative to its largest component.
double gradient_error(const NetworkShape& shape, const std::vector<Record>& records,
                      const std::vector<double>& weights, const std::vector<double>& gradient,
                      std::size_t every = 1) {
  double worst = 0.0;
  for (std::size_t i = 0; i < weights.size(); i += every) {
    worst = std::max(worst, std::abs(testing::complex_step(shape, weights, records, i) - gradient[i]));
  }
  return worst / largest(gradient);
}

TEST(TreeNetwork, MatchesAScalarNetworkThatReadsRecordByRecord) {
  for (const NetworkShape& shape :
       {NetworkShape{3, 2, 8, 16}, NetworkShape{9, 1, 16, 8}, NetworkShape{1, 3, 64, 64}}) {
    const std::vector<Record> records = random_steps(shape, 40, 7, 1);
    const HistoryTree tree = build_history_tree(shape.actions, records);
    const std::vector<double> weights = random_weights(shape, 2);
    const std::vector<double> policies = TreeNetwork(shape, tree, false, 1).policies(weights);
    const testing::ScalarNetwork<double> scalar(shape, weights);
    for (const Record& record : records) {
      const auto expected = scalar.log_policies(record.steps);
      const auto path = tree.path_of(record.steps);
      for (std::size_t t = 0; t < path.size(); ++t) {
        for (int a = 0; a < shape.actions; ++a) {
          const double policy = policies[static_cast<std::size_t>(path[t]) * shape.actions + a];
          ASSERT_NEAR(policy, std::exp(expected[t][a]), 1e-13);
        }
      }
    }
    EXPECT_NEAR(evaluate(shape, tree, weights).loss.training, scalar.loss(records), 1e-13);
  }
}

TEST(TreeNetwork, GradientMatchesTheComplexStepEverywhere) {
  const NetworkShape shape{3, 2, 8, 8};
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<Record> records = random_steps(shape, 25, 6, seed);
    const std::vector<double> weights = random_weights(shape, 10 + seed);
    const Evaluated at = evaluate(shape, build_history_tree(3, records), weights);
    EXPECT_LT(gradient_error(shape, records, weights, at.gradient), 1e-12);
  }
}

TEST(TreeNetwork, GradientMatchesTheComplexStepAtFullSize) {
  const NetworkShape shape{3, 2, 64, 64};
  const std::vector<Record> records = random_steps(shape, 6, 6, 5);
  const std::vector<double> weights = random_weights(shape, 6);
  const Evaluated at = evaluate(shape, build_history_tree(3, records), weights);
  EXPECT_LT(gradient_error(shape, records, weights, at.gradient, 101), 1e-12);
}

// What a slip in the adjoint would do: one gate's derivative a thousandth too large.
TEST(TreeNetwork, TheComplexStepCatchesAWrongGradient) {
  const NetworkShape shape{3, 2, 8, 8};
  const std::vector<Record> records = random_steps(shape, 25, 6, 1);
  const std::vector<double> weights = random_weights(shape, 11);
  std::vector<double> wrong = evaluate(shape, build_history_tree(3, records), weights).gradient;
  const NetworkWeights blocks(shape);
  for (int unit = 0; unit < shape.units; ++unit) wrong[blocks.gate_bias.offset + shape.units + unit] *= 1.001;
  EXPECT_GT(gradient_error(shape, records, weights, wrong), 1e-6);
}

TEST(TreeNetwork, ATreeAndAFlatListGiveTheSame) {
  const NetworkShape shape{3, 2, 64, 64};
  const std::vector<Record> records = random_steps(shape, 200, 8, 3);
  const HistoryTree tree = build_history_tree(3, records);
  const HistoryTree flat = build_history_tree(3, records, false);
  ASSERT_LT(tree.node_count() * 5, flat.node_count() * 4);
  const std::vector<double> weights = random_weights(shape, 4);
  const Evaluated shared = evaluate(shape, tree, weights);
  const Evaluated unshared = evaluate(shape, flat, weights);
  EXPECT_NEAR(shared.loss.training, unshared.loss.training, 1e-12);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ASSERT_NEAR(shared.gradient[i], unshared.gradient[i], 1e-12 * largest(shared.gradient));
  }
  // Flat lists repeat histories in the order of the tree's nodes, so equal histories give equal rows.
  const std::vector<double> policies = TreeNetwork(shape, flat, false, 1).policies(weights);
  const std::vector<double> expected = TreeNetwork(shape, tree, false, 1).policies(weights);
  std::size_t matched = 0;
  for (std::size_t node = 0, at = 0; node < flat.parent.size(); ++node) {
    const auto same = [&] {
      return std::equal(&policies[node * 3], &policies[node * 3] + 3, &expected[at * 3]);
    };
    if (!same()) ++at;
    ASSERT_LT(at, tree.parent.size());
    ASSERT_TRUE(same()) << "flat node " << node;  // the same bits: rows do not depend on their batch
    ++matched;
  }
  EXPECT_EQ(matched, flat.parent.size());
}

TEST(TreeNetwork, ACopiedRecordCountsTwice) {
  const NetworkShape shape{3, 2, 8, 8};
  std::vector<Record> records = random_steps(shape, 20, 6, 7);
  const std::vector<double> weights = random_weights(shape, 8);
  const double once = evaluate(shape, build_history_tree(3, records), weights).loss.training;
  const std::size_t count = records.size();
  for (std::size_t i = 0; i < count; ++i) records.push_back(records[i]);
  EXPECT_NEAR(evaluate(shape, build_history_tree(3, records), weights).loss.training, once, 1e-13);
}

TEST(TreeNetwork, HasTheSameBitsForAnyNumberOfThreads) {
  const NetworkShape shape{3, 2, 16, 16};
  const HistoryTree tree = build_history_tree(3, random_steps(shape, 2000, 8, 9));
  const std::vector<double> weights = random_weights(shape, 9);
  const Evaluated once = evaluate(shape, tree, weights, 1);
  for (const int threads : {2, 3, 7}) {
    const Evaluated again = evaluate(shape, tree, weights, threads);
    EXPECT_EQ(again.loss.training, once.loss.training);
    EXPECT_EQ(again.gradient, once.gradient);
  }
}

TEST(TreeNetwork, WeighsTheTwoPartsOfTheDecisionsApart) {
  const NetworkShape shape{3, 2, 8, 8};
  const std::vector<Record> some = random_steps(shape, 20, 6, 1);
  const std::vector<Record> others = random_steps(shape, 20, 6, 2);
  std::vector<Record> all = some;
  all.insert(all.end(), others.begin(), others.end());
  const HistoryTree tree = build_history_tree(3, all);
  DecisionCounts training = DecisionCounts::all_of(tree), validation = training;
  std::fill(training.counts.begin(), training.counts.end(), 0.0);
  training.total = 0.0;
  for (const Record& record : some) {
    const auto path = tree.path_of(record.steps);
    for (std::size_t t = 0; t < path.size(); ++t, ++training.total, --validation.total) {
      training.counts[static_cast<std::size_t>(path[t]) * 3 + record.steps[t].action] += 1.0;
      validation.counts[static_cast<std::size_t>(path[t]) * 3 + record.steps[t].action] -= 1.0;
    }
  }
  const std::vector<double> weights = random_weights(shape, 3);
  std::vector<double> gradient(weights.size());
  const NetworkLoss loss =
      TreeNetwork(shape, tree, true, 1).evaluate(weights, training, validation, gradient);
  const testing::ScalarNetwork<double> scalar(shape, weights);
  EXPECT_NEAR(loss.training, scalar.loss(some), 1e-13);
  EXPECT_NEAR(loss.validation, scalar.loss(others), 1e-13);
  EXPECT_LT(gradient_error(shape, some, weights, gradient), 1e-12);
}

TEST(TreeNetwork, StaysFiniteWithHugeWeightsAndLongRecords) {
  const NetworkShape shape{2, 1, 8, 8};
  std::vector<double> weights = random_weights(shape, 1);
  for (double& w : weights) w *= 1e4;
  Record longest;
  for (int t = 0; t < 20'000; ++t) longest.steps.push_back({t % 2, 0});
  const Evaluated at = evaluate(shape, build_history_tree(2, std::vector<Record>{longest}), weights);
  EXPECT_TRUE(std::isfinite(at.loss.training));
  EXPECT_TRUE(std::isfinite(largest(at.gradient)));
}

TEST(RecurrentNetwork, StartsWithinTheScaleAskedFor) {
  const NetworkShape shape{3, 2, 64, 64};
  const NetworkWeights blocks(shape);
  base::RandomStream one(1), other(1);
  const std::vector<double> large = initial_weights(shape, 1.0, one);
  const std::vector<double> small = initial_weights(shape, 0.25, other);
  const std::size_t forget = blocks.gate_bias.offset + shape.units;
  double highest = 0.0;
  for (std::size_t i = 0; i < large.size(); ++i) {
    const double shift = i >= forget && i < forget + shape.units ? 1.0 : 0.0;
    ASSERT_NEAR(small[i] - shift, 0.25 * (large[i] - shift), 1e-15);
    highest = std::max(highest, std::abs(large[i] - shift));
  }
  EXPECT_LE(highest, 1.0 / 8.0);  // 64 inputs everywhere
  EXPECT_GT(highest, 0.99 / 8.0);
}

TEST(LstmKernels, ProductsOfAnyNumberOfRowsMatchTheDefinition) {
  base::RandomStream random(1);
  const int inner = 24, columns = 16;
  std::vector<double> B(static_cast<std::size_t>(inner) * columns);
  for (double& b : B) b = random.normal();
  PackedMatrix packed, back;
  packed.pack(B.data(), inner, columns);
  back.pack_transposed(B.data(), inner, columns);
  for (const int rows : {1, 2, 3, 7, 8, 9, 31, 64, 67, 130}) {
    std::vector<double> A(static_cast<std::size_t>(rows) * inner),
        C(static_cast<std::size_t>(rows) * columns, 0.5);
    for (double& a : A) a = random.normal();
    multiply_add(A.data(), rows, packed, C.data());
    std::vector<double> through(A.size(), 0.0), product(B.size(), 0.0);
    multiply_add(C.data(), rows, back, through.data());
    for (int panel = 0; panel < columns / kPanel; ++panel) {
      multiply_transposed_add(A.data(), inner, C.data(), columns, rows, panel, product.data());
    }
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        double sum = 0.5;
        for (int k = 0; k < inner; ++k) sum += A[i * inner + k] * B[k * columns + j];
        ASSERT_NEAR(C[i * columns + j], sum, 1e-12);
      }
      for (int k = 0; k < inner; ++k) {
        double sum = 0.0;
        for (int j = 0; j < columns; ++j) sum += C[i * columns + j] * B[k * columns + j];
        ASSERT_NEAR(through[i * inner + k], sum, 1e-11);
      }
    }
    for (int k = 0; k < inner; ++k) {
      for (int j = 0; j < columns; ++j) {
        double sum = 0.0;
        for (int i = 0; i < rows; ++i) sum += A[i * inner + k] * C[i * columns + j];
        ASSERT_NEAR(product[k * columns + j], sum, 1e-10);
      }
    }
  }
}

}  // namespace
}  // namespace interpole::learners
