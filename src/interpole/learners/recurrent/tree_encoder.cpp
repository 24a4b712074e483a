#include "interpole/learners/recurrent/tree_encoder.hpp"

#include <algorithm>

#include "interpole/base/parallel.hpp"

namespace interpole::learners {

TreeEncoder::TreeEncoder(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only, int threads)
    : shape_(shape), weights_(shape), plan_(plan_network(tree, deciding_only)), threads_(threads) {
  const auto rows = static_cast<std::size_t>(plan_.rows());
  const auto inners = static_cast<std::size_t>(plan_.inners());
  inputs_.resize((static_cast<std::size_t>(shape.actions) * (shape.outcomes + 1) + 1) * shape.gate_width());
  gates_.resize(rows * shape.gate_width());
  for (auto* part : {&cell_, &squashed_, &hidden_}) part->resize(rows * shape.units);
  inner_hidden_.resize(inners * shape.units);
  recurrent_part_.resize(inners * shape.gate_width());
}

void TreeEncoder::in_pieces(int begin, int end, int piece, const std::function<void(int, int)>& task) const {
  base::parallel_tasks((end - begin + piece - 1) / piece, threads_, [&](int index) {
    const int from = begin + index * piece;
    task(from, std::min(from + piece, end));
  });
}

void TreeEncoder::pack(const double* parameters) {
  recurrent_.pack(parameters + weights_.recurrent.offset, weights_.recurrent.rows,
                  weights_.recurrent.columns);
  recurrent_back_.pack_transposed(parameters + weights_.recurrent.offset, weights_.recurrent.rows,
                                  weights_.recurrent.columns);
  const int gates = shape_.gate_width();
  const double* bias = parameters + weights_.gate_bias.offset;
  double* to = inputs_.data();
  for (int a = 0; a < shape_.actions; ++a) {
    for (int z = 0; z <= shape_.outcomes; ++z) {
      const double* of_action =
          parameters + weights_.action_input.offset + static_cast<std::ptrdiff_t>(a) * gates;
      const double* of_outcome =
          parameters + weights_.outcome_input.offset + static_cast<std::ptrdiff_t>(z) * gates;
      for (int g = 0; g < gates; ++g) *to++ = bias[g] + of_action[g] + of_outcome[g];
    }
  }
  std::copy_n(bias, gates, to);
}

void TreeEncoder::step_forward(int row) {
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

void TreeEncoder::forward_block(int begin, int end) {
  const auto first = static_cast<std::size_t>(begin);
  double* part = &recurrent_part_[first * shape_.gate_width()];
  std::fill_n(part, static_cast<std::size_t>(end - begin) * shape_.gate_width(), 0.0);
  multiply_add(&inner_hidden_[first * shape_.units], end - begin, recurrent_, part);
  for (int row = plan_.first_child[begin]; row < plan_.first_child[end]; ++row) step_forward(row);
}

void TreeEncoder::forward(const double* parameters) {
  pack(parameters);
  for (int row = 0; row < plan_.roots; ++row) step_forward(row);
  for (int level = 0; level < plan_.levels(); ++level) {
    in_pieces(plan_.level_begin[level], plan_.level_begin[level + 1], kInnersPerTask,
              [&](int begin, int end) { forward_block(begin, end); });
  }
}

base::AlignedVector<double>& TreeEncoder::d_hidden() {
  d_hidden_.resize(hidden_.size());  // here, because those who only ask for policies need none of it
  return d_hidden_;
}

void TreeEncoder::step_backward(int row) {
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

void TreeEncoder::backward_block(int begin, int end) {
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

void TreeEncoder::backward() {
  d_cell_.assign(cell_.size(), 0.0);
  for (int level = plan_.levels() - 1; level >= 0; --level) {
    in_pieces(plan_.level_begin[level], plan_.level_begin[level + 1], kInnersPerTask,
              [&](int begin, int end) { backward_block(begin, end); });
  }
  for (int row = 0; row < plan_.roots; ++row) step_backward(row);
}

// One gate's columns of the weights that inputs choose rows of.
void TreeEncoder::collect_inputs(int gate, std::span<double> gradient) const {
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

// Every task owns some columns and goes through all rows, so sums have one order whatever the threads.
void TreeEncoder::collect(std::span<double> gradient) const {
  std::fill_n(gradient.begin(), weights_.encoder_size, 0.0);
  base::parallel_tasks(4, threads_, [&](int gate) { collect_inputs(gate, gradient); });
  base::parallel_tasks(shape_.gate_width() / kPanel, threads_, [&](int panel) {
    multiply_transposed_add(inner_hidden_.data(), shape_.units, recurrent_part_.data(), shape_.gate_width(),
                            plan_.inners(), panel, &gradient[weights_.recurrent.offset]);
  });
}

}  // namespace interpole::learners
