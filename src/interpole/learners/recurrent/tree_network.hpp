// A recurrent network run on a history tree: hidden states once per history, whole levels at a time; then the
// cross-entropy of the decisions taken there and, by the adjoint of every step, its exact gradient.
// With h' the hidden state of the LSTM (tree_encoder.hpp):
//   π(a | history) = softmax(V relu(U h' + u) + v)
// Cost: about 4·units² multiplications per history with children and 2·units² per history with a decision,
// three times that with the gradient. Memory: about 8 kB per history at 64 units.
#pragma once

#include <span>
#include <vector>

#include "interpole/learners/recurrent/trainable_network.hpp"
#include "interpole/learners/recurrent/tree_encoder.hpp"

namespace interpole::learners {

class TreeNetwork : public TrainableNetwork {
 public:
  // The tree is not needed afterwards.
  TreeNetwork(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only, int threads);
  TreeNetwork(const TreeNetwork&) = delete;
  TreeNetwork& operator=(const TreeNetwork&) = delete;

  NetworkLoss evaluate(std::span<const double> parameters, const DecisionCounts& training,
                       const DecisionCounts& validation, std::span<double> gradient) override;

  // π(a | history), [node·A + a]. Needs a network of all nodes.
  std::vector<double> policies(std::span<const double> parameters);

 private:
  static constexpr int kRowsPerTask = 64;

  void pack(std::span<const double> parameters);
  static double log_sum_exp(const double* values, int count);

  void forward();
  void dense_forward(int begin, int end);

  NetworkLoss decide(const DecisionCounts& training, const DecisionCounts& validation);
  NetworkLoss decide_block(const DecisionCounts& training, const DecisionCounts& validation, int begin,
                           int end);
  void dense_backward(int begin, int end);
  void backward();
  void collect(std::span<double> gradient) const;
  void collect_bias(const WeightBlock& bias, const base::AlignedVector<double>& values, int panel,
                    std::span<double> gradient) const;

  NetworkShape shape_;
  NetworkWeights weights_;
  TreeEncoder encoder_;
  const NetworkPlan& plan_;  // the encoder's
  int threads_;

  const double* parameters_ = nullptr;  // of the evaluation under way
  PackedMatrix dense_weights_, dense_back_, output_, output_back_;
  base::AlignedVector<double> dense_out_, d_dense_;  // [row·dense]
  base::AlignedVector<double> logits_;               // [row·outputs]; later their derivatives
};

}  // namespace interpole::learners
