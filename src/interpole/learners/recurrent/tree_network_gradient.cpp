// The adjoint of tree_network.cpp, from the decisions back to the weights.
#include <algorithm>
#include <cmath>

#include "interpole/base/parallel.hpp"
#include "interpole/learners/recurrent/tree_network.hpp"

namespace interpole::learners {

// Σ n_a (−log π_a) of a block; logits become the derivative of the training loss.
NetworkLoss TreeNetwork::decide_block(const DecisionCounts& training, const DecisionCounts& validation,
                                      int begin, int end) {
  const int A = shape_.actions;
  const double scale = training.total > 0.0 ? 1.0 / training.total : 0.0;
  NetworkLoss sum;
  for (int row = begin; row < end; ++row) {
    double* logit = &logits_[static_cast<std::size_t>(row) * shape_.output_width()];
    const std::size_t at = static_cast<std::size_t>(plan_.node[row]) * A;
    const double normaliser = log_sum_exp(logit, A);
    double taken = 0.0;
    for (int a = 0; a < A; ++a) {
      sum.training += training.counts[at + a] * (normaliser - logit[a]);
      sum.validation += validation.counts[at + a] * (normaliser - logit[a]);
      taken += training.counts[at + a];
    }
    for (int a = 0; a < A; ++a) {
      logit[a] = scale * (taken * std::exp(logit[a] - normaliser) - training.counts[at + a]);
    }
  }
  return sum;
}

void TreeNetwork::dense_backward(int begin, int end) {
  const int dense = shape_.dense_units;
  const auto first = static_cast<std::size_t>(begin);
  const auto rows = static_cast<std::size_t>(end - begin);
  double* d_dense = &d_dense_[first * dense];
  std::fill_n(d_dense, rows * dense, 0.0);
  multiply_add(&logits_[first * shape_.output_width()], end - begin, output_back_, d_dense);
  const double* out = &dense_out_[first * dense];
  for (std::size_t i = 0; i < rows * dense; ++i) d_dense[i] = out[i] > 0.0 ? d_dense[i] : 0.0;
  double* d_hidden = &encoder_.d_hidden()[first * shape_.units];
  std::fill_n(d_hidden, rows * shape_.units, 0.0);
  multiply_add(d_dense, end - begin, dense_back_, d_hidden);
}

void TreeNetwork::backward() {
  encoder_.d_hidden();  // makes room, before threads ask for it
  d_dense_.resize(dense_out_.size());
  encoder_.in_pieces(0, plan_.rows(), kRowsPerTask, [&](int begin, int end) { dense_backward(begin, end); });
  encoder_.backward();
}

void TreeNetwork::collect_bias(const WeightBlock& bias, const base::AlignedVector<double>& values, int panel,
                               std::span<double> gradient) const {
  const auto column = static_cast<std::size_t>(panel) * kPanel;
  for (std::size_t at = column; at < values.size(); at += bias.columns) {
    for (int j = 0; j < kPanel; ++j) gradient[bias.offset + column + j] += values[at + j];
  }
}

// Every task owns some columns and goes through all rows, so sums have one order whatever the threads.
void TreeNetwork::collect(std::span<double> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  encoder_.collect(gradient);
  base::parallel_tasks(shape_.dense_units / kPanel, threads_, [&](int panel) {
    collect_bias(weights_.dense_bias, d_dense_, panel, gradient);
    multiply_transposed_add(encoder_.hidden().data(), shape_.units, d_dense_.data(), shape_.dense_units,
                            plan_.rows(), panel, &gradient[weights_.dense.offset]);
  });
  base::parallel_tasks(shape_.output_width() / kPanel, threads_, [&](int panel) {
    collect_bias(weights_.output_bias, logits_, panel, gradient);
    multiply_transposed_add(dense_out_.data(), shape_.dense_units, logits_.data(), shape_.output_width(),
                            plan_.rows(), panel, &gradient[weights_.output.offset]);
  });
}

NetworkLoss TreeNetwork::decide(const DecisionCounts& training, const DecisionCounts& validation) {
  std::vector<NetworkLoss> parts((plan_.rows() + kRowsPerTask - 1) / kRowsPerTask);
  encoder_.in_pieces(0, plan_.rows(), kRowsPerTask, [&](int begin, int end) {
    parts[begin / kRowsPerTask] = decide_block(training, validation, begin, end);
  });
  NetworkLoss loss;
  for (const NetworkLoss& part : parts) {
    loss.training += part.training;
    loss.validation += part.validation;
  }
  if (training.total > 0.0) loss.training /= training.total;
  if (validation.total > 0.0) loss.validation /= validation.total;
  return loss;
}

NetworkLoss TreeNetwork::evaluate(std::span<const double> parameters, const DecisionCounts& training,
                                  const DecisionCounts& validation, std::span<double> gradient) {
  pack(parameters);
  forward();
  const NetworkLoss loss = decide(training, validation);
  backward();
  collect(gradient);
  return loss;
}

}  // namespace interpole::learners
