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
  double* d_hidden = &d_hidden_[first * shape_.units];
  std::fill_n(d_hidden, rows * shape_.units, 0.0);
  std::fill_n(&d_cell_[first * shape_.units], rows * shape_.units, 0.0);
  multiply_add(d_dense, end - begin, dense_back_, d_hidden);
}

void TreeNetwork::step_backward(int row) {
  const int units = shape_.units;
  const std::size_t at = static_cast<std::size_t>(row) * units;
  CellAdjoint step;
  step.units = units;
  step.gates = &gates_[at * 4];
  step.squashed = &squashed_[at];
  step.d_hidden = &d_hidden_[at];
  step.d_cell = &d_cell_[at];
  if (row >= plan_.roots) {
    const auto parent = static_cast<std::size_t>(plan_.parent[row]);
    const std::size_t parent_at = static_cast<std::size_t>(plan_.row_of_inner[parent]) * units;
    step.parent_cell = &cell_[parent_at];
    step.d_parent_cell = &d_cell_[parent_at];
    step.d_recurrent = &recurrent_part_[parent * shape_.gate_width()];
  }
  cell_backward(step);
}

void TreeNetwork::backward_block(int begin, int end) {
  const int units = shape_.units;
  const auto first = static_cast<std::size_t>(begin);
  double* part = &recurrent_part_[first * shape_.gate_width()];
  std::fill_n(part, static_cast<std::size_t>(end - begin) * shape_.gate_width(), 0.0);
  for (int row = plan_.first_child[begin]; row < plan_.first_child[end]; ++row) step_backward(row);
  std::vector<double> through(static_cast<std::size_t>(end - begin) * units, 0.0);
  multiply_add(part, end - begin, recurrent_back_, through.data());
  for (int inner = begin; inner < end; ++inner) {
    double* d_hidden = &d_hidden_[static_cast<std::size_t>(plan_.row_of_inner[inner]) * units];
    const double* more = &through[static_cast<std::size_t>(inner - begin) * units];
    for (int u = 0; u < units; ++u) d_hidden[u] += more[u];
  }
}

void TreeNetwork::backward() {
  d_hidden_.resize(hidden_.size());  // here, because those who only ask for policies need none of it
  d_cell_.resize(cell_.size());
  d_dense_.resize(dense_out_.size());
  in_pieces(0, plan_.rows(), kRowsPerTask, [&](int begin, int end) { dense_backward(begin, end); });
  for (int level = plan_.levels() - 1; level >= 0; --level) {
    in_pieces(plan_.level_begin[level], plan_.level_begin[level + 1], kInnersPerTask,
              [&](int begin, int end) { backward_block(begin, end); });
  }
  for (int row = 0; row < plan_.roots; ++row) step_backward(row);
}

// One gate's columns of the weights that inputs choose rows of.
void TreeNetwork::collect_inputs(int gate, std::span<double> gradient) const {
  const int width = shape_.gate_width();
  const int units = shape_.units;
  const auto column = static_cast<std::size_t>(gate) * units;
  const auto add = [&](const WeightBlock& block, int block_row, const double* from) {
    double* to = &gradient[block.offset + static_cast<std::size_t>(block_row) * width + column];
    for (int u = 0; u < units; ++u) to[u] += from[u];
  };
  for (int row = 0; row < plan_.rows(); ++row) {
    const double* d = &gates_[static_cast<std::size_t>(row) * width + column];
    add(weights_.gate_bias, 0, d);
    if (row < plan_.roots) continue;
    add(weights_.action_input, plan_.action[row], d);
    add(weights_.outcome_input, plan_.outcome[row] == kMissing ? shape_.outcomes : plan_.outcome[row], d);
  }
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
  base::parallel_tasks(4, threads_, [&](int gate) { collect_inputs(gate, gradient); });
  base::parallel_tasks(shape_.gate_width() / kPanel, threads_, [&](int panel) {
    multiply_transposed_add(inner_hidden_.data(), shape_.units, recurrent_part_.data(), shape_.gate_width(),
                            plan_.inners(), panel, &gradient[weights_.recurrent.offset]);
  });
  base::parallel_tasks(shape_.dense_units / kPanel, threads_, [&](int panel) {
    collect_bias(weights_.dense_bias, d_dense_, panel, gradient);
    multiply_transposed_add(hidden_.data(), shape_.units, d_dense_.data(), shape_.dense_units, plan_.rows(),
                            panel, &gradient[weights_.dense.offset]);
  });
  base::parallel_tasks(shape_.output_width() / kPanel, threads_, [&](int panel) {
    collect_bias(weights_.output_bias, logits_, panel, gradient);
    multiply_transposed_add(dense_out_.data(), shape_.dense_units, logits_.data(), shape_.output_width(),
                            plan_.rows(), panel, &gradient[weights_.output.offset]);
  });
}

NetworkLoss TreeNetwork::decide(const DecisionCounts& training, const DecisionCounts& validation) {
  std::vector<NetworkLoss> parts((plan_.rows() + kRowsPerTask - 1) / kRowsPerTask);
  in_pieces(0, plan_.rows(), kRowsPerTask, [&](int begin, int end) {
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
