#include "interpole/learners/readable/contextual_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learners {
namespace {

using ComplexNumber = std::complex<double>;

// The definition once more, one record at a time, for any kind of number.
template <class T>
T contextual_loss(const NetworkShape& shape, const std::vector<T>& parameters,
                  const std::vector<Record>& records, std::vector<std::vector<T>>* policies = nullptr) {
  const ContextualWeights weights(shape);
  const auto at = [&](const WeightBlock& block, int row, int column) {
    return parameters[block.offset + static_cast<std::size_t>(row) * block.columns + column];
  };
  const auto sigmoid = [](T x) { return T(1) / (T(1) + std::exp(-x)); };
  const int U = shape.units;
  T sum(0);
  double decisions = 0.0;
  for (const Record& record : records) {
    std::vector<T> before(U, T(0)), hidden(U, T(0)), cell(U, T(0));
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      std::vector<int> inputs = {0};
      const Step* last = t == 0 ? nullptr : &record.steps[t - 1];
      const int outcome =
          last == nullptr || last->observation == kMissing ? shape.outcomes : last->observation;
      if (last != nullptr) inputs.insert(inputs.end(), {1 + last->action, 1 + shape.actions + outcome});
      // `hidden` has read all visits before the last one.
      std::vector<T> logits(shape.actions, T(0));
      for (const int input : inputs) {
        for (int a = 0; a < shape.actions; ++a) {
          logits[a] += at(weights.always, input, a);
          for (int u = 0; u < U && t > 0; ++u) {
            logits[a] += at(weights.by_context, input * shape.actions + a, u) * hidden[u];
          }
        }
      }
      T normaliser(0);
      for (const T& l : logits) normaliser += std::exp(l);
      sum -= logits[record.steps[t].action] - std::log(normaliser);
      ++decisions;
      if (policies != nullptr) {
        policies->push_back({});
        for (const T& l : logits) policies->back().push_back(std::exp(l) / normaliser);
      }
      std::vector<T> gate(shape.gate_width());
      for (int g = 0; g < shape.gate_width(); ++g) {
        gate[g] = at(weights.gate_bias, 0, g);
        for (int u = 0; u < U; ++u) gate[g] += at(weights.recurrent, u, g) * hidden[u];
        if (last == nullptr) continue;
        gate[g] += at(weights.action_input, last->action, g) + at(weights.outcome_input, outcome, g);
      }
      for (int u = 0; u < U; ++u) {
        cell[u] = sigmoid(gate[U + u]) * cell[u] + sigmoid(gate[u]) * std::tanh(gate[2 * U + u]);
        hidden[u] = sigmoid(gate[3 * U + u]) * std::tanh(cell[u]);
      }
    }
  }
  return sum / decisions;
}

struct ContextualCase {
  NetworkShape shape{3, 2, 8, 8};
  std::vector<Record> records;
  std::vector<double> weights;
  explicit ContextualCase(std::uint64_t seed) {
    const Structure structure = testing::some_structure(2, 3, 2);
    base::RandomStream random(seed);
    Parameters agent = testing::random_parameters(structure, random);
    agent.policy.inverse_temperature = 0.5;
    records = testing::random_records(structure, agent, 25, 6, seed, 0.2);
    weights = initial_contextual(shape, 2.0, random);
    for (double& w : weights) w += 0.1 * random.normal();
  }
};

TEST(ContextualNetwork, MatchesTheDefinitionRecordByRecord) {
  const ContextualCase data(1);
  const HistoryTree tree = build_history_tree(3, data.records);
  std::vector<std::vector<double>> expected;
  const double loss = contextual_loss(data.shape, data.weights, data.records, &expected);
  const DecisionCounts all = DecisionCounts::all_of(tree);
  std::vector<double> gradient(data.weights.size());
  ContextualNetwork network(data.shape, tree, true, 1);
  EXPECT_NEAR(network.evaluate(data.weights, all, all, gradient).training, loss, 1e-13);
  ContextualNetwork whole(data.shape, tree, false, 1);
  const auto policies = whole.policies(data.weights);
  const auto coefficients = whole.coefficients(data.weights);
  std::size_t decision = 0;
  for (const Record& record : data.records) {
    const auto path = tree.path_of(record.steps);
    for (std::size_t t = 0; t < path.size(); ++t, ++decision) {
      std::vector<double> chance(3, 1.0);
      double sum = 0.0;
      for (int a = 0; a < 3; ++a) {
        ASSERT_NEAR(policies[path[t] * 3 + a], expected[decision][a], 1e-13);
        // The coefficients of the visit give the prediction.
        const double* theta = &coefficients[static_cast<std::size_t>(path[t]) * 7 * 3];
        double logit = theta[a];
        if (t > 0) {
          const Step last = record.steps[t - 1];
          logit += theta[(1 + last.action) * 3 + a] +
                   theta[(1 + 3 + (last.observation == kMissing ? 2 : last.observation)) * 3 + a];
        }
        sum += chance[a] = std::exp(logit);
      }
      for (int a = 0; a < 3; ++a) ASSERT_NEAR(chance[a] / sum, policies[path[t] * 3 + a], 1e-12);
    }
  }
}

TEST(ContextualNetwork, GradientMatchesTheComplexStep) {
  const ContextualCase data(2);
  const HistoryTree tree = build_history_tree(3, data.records);
  const DecisionCounts all = DecisionCounts::all_of(tree);
  std::vector<double> gradient(data.weights.size());
  ContextualNetwork(data.shape, tree, true, 1).evaluate(data.weights, all, all, gradient);
  double worst = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    std::vector<ComplexNumber> point(data.weights.begin(), data.weights.end());
    point[i] += ComplexNumber(0.0, 1e-30);
    const double exact = contextual_loss(data.shape, point, data.records).imag() / 1e-30;
    worst = std::max(worst, std::abs(exact - gradient[i]));
    largest = std::max(largest, std::abs(exact));
  }
  EXPECT_LT(worst / largest, 1e-12);
}

TEST(ContextualNetwork, HasTheSameBitsForAnyNumberOfThreads) {
  const ContextualCase data(3);
  const HistoryTree tree = build_history_tree(3, data.records);
  const DecisionCounts all = DecisionCounts::all_of(tree);
  std::vector<double> once(data.weights.size()), again(data.weights.size());
  ContextualNetwork(data.shape, tree, true, 1).evaluate(data.weights, all, all, once);
  ContextualNetwork(data.shape, tree, true, 3).evaluate(data.weights, all, all, again);
  EXPECT_EQ(once, again);
}

}  // namespace
}  // namespace interpole::learners
