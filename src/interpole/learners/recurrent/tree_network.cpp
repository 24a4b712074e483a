#include "interpole/learners/recurrent/tree_network.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/base/parallel.hpp"

namespace interpole::learners {

DecisionCounts DecisionCounts::all_of(const HistoryTree& tree) {
  return {{tree.action_counts.begin(), tree.action_counts.end()}, static_cast<double>(tree.decisions)};
}

TreeNetwork::TreeNetwork(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only, int threads)
    : shape_(shape), weights_(shape), plan_(plan_network(tree, deciding_only)), threads_(threads) {
  const auto rows = static_cast<std::size_t>(plan_.rows());
  const auto inners = static_cast<std::size_t>(plan_.inners());
  inputs_.resize((static_cast<std::size_t>(shape.actions) * (shape.outcomes + 1) + 1) * shape.gate_width());
  gates_.resize(rows * shape.gate_width());
  for (auto* part : {&cell_, &squashed_, &hidden_}) part->resize(rows * shape.units);
  dense_out_.resize(rows * shape.dense_units);
  logits_.resize(rows * shape.output_width());
  inner_hidden_.resize(inners * shape.units);
  recurrent_part_.resize(inners * shape.gate_width());
}

void TreeNetwork::in_pieces(int begin, int end, int piece, const std::function<void(int, int)>& task) const {
  base::parallel_tasks((end - begin + piece - 1) / piece, threads_, [&](int index) {
    const int from = begin + index * piece;
    task(from, std::min(from + piece, end));
  });
}

double TreeNetwork::log_sum_exp(const double* values, int count) {
  const double highest = *std::max_element(values, values + count);
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += std::exp(values[i] - highest);
  return highest + std::log(sum);
}

void TreeNetwork::pack(std::span<const double> parameters) {
  parameters_ = parameters.data();
  const auto pack_both = [&](const WeightBlock& block, PackedMatrix& forth, PackedMatrix& back) {
    forth.pack(parameters_ + block.offset, block.rows, block.columns);
    back.pack_transposed(parameters_ + block.offset, block.rows, block.columns);
  };
  pack_both(weights_.recurrent, recurrent_, recurrent_back_);
  pack_both(weights_.dense, dense_weights_, dense_back_);
  pack_both(weights_.output, output_, output_back_);
  const int gates = shape_.gate_width();
  const double* bias = parameters_ + weights_.gate_bias.offset;
  double* to = inputs_.data();
  for (int a = 0; a < shape_.actions; ++a) {
    for (int z = 0; z <= shape_.outcomes; ++z) {
      const double* of_action =
          parameters_ + weights_.action_input.offset + static_cast<std::ptrdiff_t>(a) * gates;
      const double* of_outcome =
          parameters_ + weights_.outcome_input.offset + static_cast<std::ptrdiff_t>(z) * gates;
      for (int g = 0; g < gates; ++g) *to++ = bias[g] + of_action[g] + of_outcome[g];
    }
  }
  std::copy_n(bias, gates, to);
}

void TreeNetwork::step_forward(int row) {
  const int units = shape_.units;
  const auto at = static_cast<std::size_t>(row);
  const int Z = shape_.outcomes;
  const int outcome = plan_.outcome[row] == kMissing ? Z : plan_.outcome[row];
  const int input = row < plan_.roots ? shape_.actions * (Z + 1) : plan_.action[row] * (Z + 1) + outcome;
  CellStep step;
  step.units = units;
  step.input = &inputs_[static_cast<std::size_t>(input) * shape_.gate_width()];
  if (row >= plan_.roots) {
    const auto parent = static_cast<std::size_t>(plan_.parent[row]);
    step.recurrent = &recurrent_part_[parent * shape_.gate_width()];
    step.parent_cell = &cell_[static_cast<std::size_t>(plan_.row_of_inner[parent]) * units];
  }
  step.gates = &gates_[at * shape_.gate_width()];
  step.cell = &cell_[at * units];
  step.squashed = &squashed_[at * units];
  step.hidden = hidden(row);
  cell_forward(step);
  if (plan_.inner[row] >= 0) {
    std::copy_n(hidden(row), units, &inner_hidden_[static_cast<std::size_t>(plan_.inner[row]) * units]);
  }
}

void TreeNetwork::forward_block(int begin, int end) {
  const auto first = static_cast<std::size_t>(begin);
  double* part = &recurrent_part_[first * shape_.gate_width()];
  std::fill_n(part, static_cast<std::size_t>(end - begin) * shape_.gate_width(), 0.0);
  multiply_add(&inner_hidden_[first * shape_.units], end - begin, recurrent_, part);
  for (int row = plan_.first_child[begin]; row < plan_.first_child[end]; ++row) step_forward(row);
}

void TreeNetwork::dense_forward(int begin, int end) {
  const int dense = shape_.dense_units;
  const int outputs = shape_.output_width();
  double* out = &dense_out_[static_cast<std::size_t>(begin) * dense];
  double* logits = &logits_[static_cast<std::size_t>(begin) * outputs];
  for (int row = begin; row < end; ++row) {
    std::copy_n(parameters_ + weights_.dense_bias.offset, dense,
                out + static_cast<std::ptrdiff_t>(row - begin) * dense);
    std::copy_n(parameters_ + weights_.output_bias.offset, outputs,
                logits + static_cast<std::ptrdiff_t>(row - begin) * outputs);
  }
  multiply_add(hidden(begin), end - begin, dense_weights_, out);
  std::for_each_n(out, static_cast<std::ptrdiff_t>(end - begin) * dense,
                  [](double& y) { y = std::max(y, 0.0); });
  multiply_add(out, end - begin, output_, logits);
}

void TreeNetwork::forward() {
  for (int row = 0; row < plan_.roots; ++row) step_forward(row);
  for (int level = 0; level < plan_.levels(); ++level) {
    in_pieces(plan_.level_begin[level], plan_.level_begin[level + 1], kInnersPerTask,
              [&](int begin, int end) { forward_block(begin, end); });
  }
  in_pieces(0, plan_.rows(), kRowsPerTask, [&](int begin, int end) { dense_forward(begin, end); });
}

std::vector<double> TreeNetwork::policies(std::span<const double> parameters) {
  pack(parameters);
  forward();
  const int A = shape_.actions;
  std::vector<double> result(static_cast<std::size_t>(plan_.rows()) * A);
  for (int row = 0; row < plan_.rows(); ++row) {
    const double* logit = &logits_[static_cast<std::size_t>(row) * shape_.output_width()];
    const double normaliser = log_sum_exp(logit, A);
    double* to = &result[static_cast<std::size_t>(plan_.node[row]) * A];
    for (int a = 0; a < A; ++a) to[a] = std::exp(logit[a] - normaliser);
  }
  return result;
}

}  // namespace interpole::learners
