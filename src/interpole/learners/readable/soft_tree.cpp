#include "interpole/learners/readable/soft_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace interpole::learners {

SoftTreeWeights::SoftTreeWeights(const SoftTreeShape& shape) : size(0) {
  const auto next = [&](const char* name, int rows, int columns) {
    const WeightBlock block{name, size, rows, columns, columns};
    size += block.size();
    return block;
  };
  split_input = next("split_input", shape.inputs(), shape.splits());
  split_memory = next("split_memory", shape.memory, shape.splits());
  split_bias = next("split_bias", 1, shape.splits());
  leaf_policy = next("leaf_policy", shape.leaves(), shape.actions);
  memory_bias = next("memory_bias", shape.leaves(), shape.memory);
  memory_keep = next("memory_keep", shape.leaves(), shape.memory);
}

std::vector<double> initial_soft_tree(const SoftTreeShape& shape, double scale, base::RandomStream& random) {
  const SoftTreeWeights weights(shape);
  std::vector<double> parameters(weights.size);
  for (double& w : parameters) w = scale * random.normal();
  // Leaves begin by keeping what is remembered.
  for (std::size_t i = 0; i < weights.memory_keep.size(); ++i)
    parameters[weights.memory_keep.offset + i] += 1.0;
  return parameters;
}

SoftTreeNetwork::SoftTreeNetwork(const SoftTreeShape& shape, const HistoryTree& tree, bool deciding_only)
    : shape_(shape),
      weights_(shape),
      plan_(plan_network(tree, deciding_only)),
      leaf_policies_(static_cast<std::size_t>(shape.leaves()) * shape.actions),
      nothing_(shape.memory, 0.0) {
  const auto rows = static_cast<std::size_t>(plan_.rows());
  shares_.resize(rows * shape.splits());
  leaves_.resize(rows * shape.leaves());
  written_.resize(rows * shape.leaves() * shape.memory);
  memory_.resize(rows * shape.memory);
  d_memory_.resize(rows * shape.memory);
  policy_.resize(rows * shape.actions);
}

void SoftTreeNetwork::prepare(std::span<const double> parameters) {
  parameters_ = parameters.data();
  const auto A = static_cast<std::size_t>(shape_.actions);
  for (int leaf = 0; leaf < shape_.leaves(); ++leaf) {
    const double* logits = parameters_ + weights_.leaf_policy.offset + leaf * A;
    double* row = &leaf_policies_[leaf * A];
    const double highest = *std::max_element(logits, logits + A);
    double sum = 0.0;
    for (std::size_t a = 0; a < A; ++a) sum += row[a] = std::exp(logits[a] - highest);
    for (std::size_t a = 0; a < A; ++a) row[a] /= sum;
  }
}

std::array<int, 2> SoftTreeNetwork::inputs_of(int row) const {
  if (row < plan_.roots) return {0, -1};
  const int outcome = plan_.outcome[row] == kMissing ? shape_.outcomes : plan_.outcome[row];
  return {1 + plan_.action[row], 1 + shape_.actions + outcome};
}

std::span<const double> SoftTreeNetwork::memory_before(int row) const {
  if (row < plan_.roots) return nothing_;
  const auto parent = static_cast<std::size_t>(plan_.row_of_inner[plan_.parent[row]]);
  return std::span(memory_).subspan(parent * shape_.memory, shape_.memory);
}

void SoftTreeNetwork::forward_row(int row) {
  const int S = shape_.splits(), L = shape_.leaves(), M = shape_.memory;
  const auto at = static_cast<std::size_t>(row);
  const auto before = memory_before(row);
  double* share = &shares_[at * S];
  std::copy_n(parameters_ + weights_.split_bias.offset, S, share);
  for (const int input : inputs_of(row)) {
    if (input < 0) continue;
    const double* w = parameters_ + weights_.split_input.offset + static_cast<std::size_t>(input) * S;
    for (int i = 0; i < S; ++i) share[i] += w[i];
  }
  for (int m = 0; m < M; ++m) {
    const double* v = parameters_ + weights_.split_memory.offset + static_cast<std::size_t>(m) * S;
    for (int i = 0; i < S; ++i) share[i] += before[m] * v[i];
  }
  for (int i = 0; i < S; ++i) share[i] = 1.0 / (1.0 + std::exp(-share[i]));
  // Split i has the children 2i + 1 (left) and 2i + 2 (right); those beyond the splits are leaves.
  double* leaf = &leaves_[at * L];
  for (int l = 0; l < L; ++l) {
    double p = 1.0;
    for (int node = S + l; node > 0; node = (node - 1) / 2) {
      const int split = (node - 1) / 2;
      p *= node % 2 == 0 ? share[split] : 1.0 - share[split];
    }
    leaf[l] = p;
  }
  double* policy = &policy_[at * shape_.actions];
  double* memory = &memory_[at * M];
  std::fill_n(policy, shape_.actions, 0.0);
  std::fill_n(memory, M, 0.0);
  for (int l = 0; l < L; ++l) {
    const auto row_of_leaf = static_cast<std::size_t>(l);
    for (int a = 0; a < shape_.actions; ++a)
      policy[a] += leaf[l] * leaf_policies_[row_of_leaf * shape_.actions + a];
    double* written = &written_[(at * L + l) * M];
    const double* bias = parameters_ + weights_.memory_bias.offset + row_of_leaf * M;
    const double* keep = parameters_ + weights_.memory_keep.offset + row_of_leaf * M;
    for (int m = 0; m < M; ++m) {
      written[m] = std::tanh(bias[m] + keep[m] * before[m]);
      memory[m] += leaf[l] * written[m];
    }
  }
}

void SoftTreeNetwork::forward() {
  for (int row = 0; row < plan_.rows(); ++row) forward_row(row);
}

void SoftTreeNetwork::backward_row(int row, std::span<const double> d_policy, std::span<double> gradient) {
  const int S = shape_.splits(), L = shape_.leaves(), M = shape_.memory, A = shape_.actions;
  const auto at = static_cast<std::size_t>(row);
  const auto before = memory_before(row);
  const double* d_memory = &d_memory_[at * M];
  double* d_before = nullptr;
  if (row >= plan_.roots) {
    d_before = &d_memory_[static_cast<std::size_t>(plan_.row_of_inner[plan_.parent[row]]) * M];
  }
  // Of splits and leaves as in forward_row: what comes of the share that passes through, times that share.
  std::vector<double> passing(static_cast<std::size_t>(S) + L, 0.0);
  for (int l = 0; l < L; ++l) {
    const auto leaf = static_cast<std::size_t>(l);
    const double p = leaves_[at * L + l];
    double worth = 0.0;
    for (int a = 0; a < A; ++a) {
      worth += d_policy[a] * leaf_policies_[leaf * A + a];
      d_leaf_policies_[leaf * A + a] += p * d_policy[a];
    }
    const double* written = &written_[(at * L + l) * M];
    const double* keep = parameters_ + weights_.memory_keep.offset + leaf * M;
    for (int m = 0; m < M; ++m) {
      worth += d_memory[m] * written[m];
      const double d = p * d_memory[m] * (1.0 - written[m] * written[m]);
      gradient[weights_.memory_bias.offset + leaf * M + m] += d;
      gradient[weights_.memory_keep.offset + leaf * M + m] += d * before[m];
      if (d_before != nullptr) d_before[m] += d * keep[m];
    }
    passing[S + l] = p * worth;
  }
  for (int i = S - 1; i >= 0; --i) {
    const double left = passing[2 * i + 1], right = passing[2 * i + 2];
    passing[i] = left + right;
    const double share = shares_[at * S + i];
    const double d = right * (1.0 - share) - left * share;
    gradient[weights_.split_bias.offset + i] += d;
    for (const int input : inputs_of(row)) {
      if (input >= 0) gradient[weights_.split_input.offset + static_cast<std::size_t>(input) * S + i] += d;
    }
    for (int m = 0; m < M; ++m) {
      const std::size_t weight = weights_.split_memory.offset + static_cast<std::size_t>(m) * S + i;
      gradient[weight] += d * before[m];
      if (d_before != nullptr) d_before[m] += d * parameters_[weight];
    }
  }
}

NetworkLoss SoftTreeNetwork::evaluate(std::span<const double> parameters, const DecisionCounts& training,
                                      const DecisionCounts& validation, std::span<double> gradient) {
  const auto A = static_cast<std::size_t>(shape_.actions);
  prepare(parameters);
  forward();
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(d_memory_.begin(), d_memory_.end(), 0.0);
  d_leaf_policies_.assign(leaf_policies_.size(), 0.0);
  NetworkLoss loss;
  std::vector<double> d_policy(A);
  const double scale = training.total > 0.0 ? 1.0 / training.total : 0.0;
  for (int row = plan_.rows(); row-- > 0;) {  // children come after their parents
    const std::size_t node = static_cast<std::size_t>(plan_.node[row]) * A;
    for (std::size_t a = 0; a < A; ++a) {
      const double p = std::max(policy_[row * A + a], std::numeric_limits<double>::min());
      loss.training -= training.counts[node + a] * std::log(p);
      loss.validation -= validation.counts[node + a] * std::log(p);
      d_policy[a] = -scale * training.counts[node + a] / p;
    }
    backward_row(row, d_policy, gradient);
  }
  for (std::size_t leaf = 0; leaf < leaf_policies_.size() / A; ++leaf) {
    double mean = 0.0;
    for (std::size_t a = 0; a < A; ++a) mean += leaf_policies_[leaf * A + a] * d_leaf_policies_[leaf * A + a];
    for (std::size_t a = 0; a < A; ++a) {
      gradient[weights_.leaf_policy.offset + leaf * A + a] +=
          leaf_policies_[leaf * A + a] * (d_leaf_policies_[leaf * A + a] - mean);
    }
  }
  if (training.total > 0.0) loss.training /= training.total;
  if (validation.total > 0.0) loss.validation /= validation.total;
  return loss;
}

std::vector<double> SoftTreeNetwork::policies(std::span<const double> parameters,
                                              std::vector<double>* leaves) {
  prepare(parameters);
  forward();
  const auto A = static_cast<std::size_t>(shape_.actions);
  const auto L = static_cast<std::size_t>(shape_.leaves());
  std::vector<double> result(policy_.size());
  if (leaves != nullptr) leaves->resize(leaves_.size());
  for (int row = 0; row < plan_.rows(); ++row) {
    const auto node = static_cast<std::size_t>(plan_.node[row]);
    std::copy_n(&policy_[row * A], A, &result[node * A]);
    if (leaves != nullptr)
      std::copy_n(&leaves_[row * L], L, leaves->begin() + static_cast<std::ptrdiff_t>(node * L));
  }
  return result;
}

}  // namespace interpole::learners
