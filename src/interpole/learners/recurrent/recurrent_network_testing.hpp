// For tests: the network of recurrent_network.hpp written down once more, one number at a time and one record
// at a time, for any kind of number. With complex numbers it gives derivatives to the last digits.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "interpole/learners/recurrent/recurrent_network.hpp"
#include "interpole/learners/recurrent/tree_network.hpp"
#include "interpole/records.hpp"

namespace interpole::testing {

template <class T>
class ScalarNetwork {
 public:
  ScalarNetwork(const learners::NetworkShape& shape, std::vector<T> parameters)
      : shape_(shape), weights_(shape), parameters_(std::move(parameters)) {}

  // log π(a | history) before each step of a record.
  std::vector<std::vector<T>> log_policies(std::span<const Step> record) const {
    std::vector<T> hidden(shape_.units, T(0)), cell(shape_.units, T(0));
    std::vector<std::vector<T>> result;
    for (std::size_t t = 0; t < record.size(); ++t) {
      advance(t == 0 ? nullptr : &record[t - 1], hidden, cell);
      result.push_back(log_softmax(hidden));
    }
    return result;
  }

  // Mean cross-entropy per decision.
  T loss(const std::vector<Record>& records) const {
    T sum(0);
    double decisions = 0.0;
    for (const Record& record : records) {
      const auto logs = log_policies(record.steps);
      for (std::size_t t = 0; t < logs.size(); ++t, ++decisions) sum -= logs[t][record.steps[t].action];
    }
    return sum / decisions;
  }

 private:
  T at(const learners::WeightBlock& block, int row, int column) const {
    return parameters_[block.offset + static_cast<std::size_t>(row) * block.columns + column];
  }
  static T sigmoid(T x) { return T(1) / (T(1) + std::exp(-x)); }

  void advance(const Step* step, std::vector<T>& hidden, std::vector<T>& cell) const {
    std::vector<T> gate(shape_.gate_width());
    for (int g = 0; g < shape_.gate_width(); ++g) {
      gate[g] = at(weights_.gate_bias, 0, g);
      for (int u = 0; u < shape_.units; ++u) gate[g] += at(weights_.recurrent, u, g) * hidden[u];
      if (step == nullptr) continue;
      gate[g] += at(weights_.action_input, step->action, g);
      const int outcome = step->observation == kMissing ? shape_.outcomes : step->observation;
      gate[g] += at(weights_.outcome_input, outcome, g);
    }
    const int n = shape_.units;
    for (int u = 0; u < n; ++u) {
      cell[u] = sigmoid(gate[n + u]) * cell[u] + sigmoid(gate[u]) * std::tanh(gate[2 * n + u]);
      hidden[u] = sigmoid(gate[3 * n + u]) * std::tanh(cell[u]);
    }
  }

  std::vector<T> log_softmax(const std::vector<T>& hidden) const {
    std::vector<T> logit(shape_.actions);
    for (int a = 0; a < shape_.actions; ++a) logit[a] = at(weights_.output_bias, 0, a);
    for (int d = 0; d < shape_.dense_units; ++d) {
      T y = at(weights_.dense_bias, 0, d);
      for (int u = 0; u < shape_.units; ++u) y += at(weights_.dense, u, d) * hidden[u];
      if (std::real(y) <= 0.0) continue;
      for (int a = 0; a < shape_.actions; ++a) logit[a] += at(weights_.output, d, a) * y;
    }
    T sum(0);
    for (const T& l : logit) sum += std::exp(l);
    for (T& l : logit) l -= std::log(sum);
    return logit;
  }

  learners::NetworkShape shape_;
  learners::NetworkWeights weights_;
  std::vector<T> parameters_;
};

// The derivative of the loss with respect to one parameter, by the complex step: no differences, no rounding.
inline double complex_step(const learners::NetworkShape& shape, const std::vector<double>& parameters,
                           const std::vector<Record>& records, std::size_t coordinate) {
  constexpr double kStep = 1e-30;
  std::vector<std::complex<double>> point(parameters.begin(), parameters.end());
  point[coordinate] += std::complex<double>(0.0, kStep);
  return ScalarNetwork<std::complex<double>>(shape, point).loss(records).imag() / kStep;
}

}  // namespace interpole::testing
