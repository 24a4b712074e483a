#include "interpole/learners/recurrent/tree_network.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learners {

DecisionCounts DecisionCounts::all_of(const HistoryTree& tree) {
  return {{tree.action_counts.begin(), tree.action_counts.end()}, static_cast<double>(tree.decisions)};
}

TreeNetwork::TreeNetwork(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only, int threads)
    : shape_(shape),
      weights_(shape),
      encoder_(shape, tree, deciding_only, threads),
      plan_(encoder_.plan()),
      threads_(threads) {
  const auto rows = static_cast<std::size_t>(plan_.rows());
  dense_out_.resize(rows * shape.dense_units);
  logits_.resize(rows * shape.output_width());
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
  pack_both(weights_.dense, dense_weights_, dense_back_);
  pack_both(weights_.output, output_, output_back_);
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
  multiply_add(encoder_.hidden(begin), end - begin, dense_weights_, out);
  std::for_each_n(out, static_cast<std::ptrdiff_t>(end - begin) * dense,
                  [](double& y) { y = std::max(y, 0.0); });
  multiply_add(out, end - begin, output_, logits);
}

void TreeNetwork::forward() {
  encoder_.forward(parameters_);
  encoder_.in_pieces(0, plan_.rows(), kRowsPerTask, [&](int begin, int end) { dense_forward(begin, end); });
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
