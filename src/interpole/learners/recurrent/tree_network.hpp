// A recurrent network run on a history tree: hidden states once per history, whole levels at a time; then the
// cross-entropy of the decisions taken there and, by the adjoint of every step, its exact gradient.
//
// With c, h the parent's cell and hidden state, R the recurrent weights, W the rows for action and outcome:
//   (i, f, g, o) = σ, σ, tanh, σ (R h + W_a + W_z + bias)    c' = f c + i g    h' = o tanh c'
//   π(a | history) = softmax(V relu(U h' + u) + v)
// Cost: about 4·units² multiplications per history with children and 2·units² per history with a decision,
// three times that with the gradient. Memory: about 8 kB per history at 64 units.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpole/base/aligned.hpp"
#include "interpole/learners/recurrent/lstm_kernels.hpp"
#include "interpole/learners/recurrent/network_plan.hpp"
#include "interpole/learners/recurrent/recurrent_network.hpp"

namespace interpole::learners {

// How often each action was taken, [node·A + a] of the tree, and how often any was.
struct DecisionCounts {
  std::vector<double> counts;
  double total = 0.0;

  static DecisionCounts all_of(const HistoryTree& tree);
};

// Mean cross-entropy per decision; zero where there are none.
struct NetworkLoss {
  double training = 0.0;
  double validation = 0.0;
};

class TreeNetwork {
 public:
  // The tree is not needed afterwards.
  TreeNetwork(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only, int threads);

  // Both losses at these weights, and the gradient of the training loss. Bits do not depend on the threads.
  NetworkLoss evaluate(std::span<const double> parameters, const DecisionCounts& training,
                       const DecisionCounts& validation, std::span<double> gradient);

  // π(a | history), [node·A + a]. Needs a network of all nodes.
  std::vector<double> policies(std::span<const double> parameters);

 private:
  static constexpr int kRowsPerTask = 64;
  static constexpr int kInnersPerTask = 32;  // with their children

  void pack(std::span<const double> parameters);
  // Calls task(from, to) for pieces of [begin, end) whose cut depends on nothing but these numbers.
  void in_pieces(int begin, int end, int piece, const std::function<void(int, int)>& task) const;
  static double log_sum_exp(const double* values, int count);

  void forward();
  void forward_block(int begin, int end);
  void step_forward(int row);
  void dense_forward(int begin, int end);

  NetworkLoss decide(const DecisionCounts& training, const DecisionCounts& validation);
  NetworkLoss decide_block(const DecisionCounts& training, const DecisionCounts& validation, int begin,
                           int end);
  void dense_backward(int begin, int end);
  void backward();
  void backward_block(int begin, int end);
  void step_backward(int row);
  void collect(std::span<double> gradient) const;
  void collect_bias(const WeightBlock& bias, const base::AlignedVector<double>& values, int panel,
                    std::span<double> gradient) const;
  void collect_inputs(int gate, std::span<double> gradient) const;

  double* hidden(int row) { return &hidden_[static_cast<std::size_t>(row) * shape_.units]; }

  NetworkShape shape_;
  NetworkWeights weights_;
  NetworkPlan plan_;
  int threads_;

  const double* parameters_ = nullptr;  // of the evaluation under way
  PackedMatrix recurrent_, recurrent_back_, dense_weights_, dense_back_, output_, output_back_;
  base::AlignedVector<double>
      inputs_;  // [(action·(Z+1) + outcome)·gates + …] with the bias; last: bias alone

  base::AlignedVector<double> gates_;                          // [row·4·units]; later their derivatives
  base::AlignedVector<double> cell_, squashed_, hidden_;       // [row·units]
  base::AlignedVector<double> d_hidden_, d_cell_;              // [row·units]
  base::AlignedVector<double> dense_out_, d_dense_;            // [row·dense]
  base::AlignedVector<double> logits_;                         // [row·outputs]; later their derivatives
  base::AlignedVector<double> inner_hidden_, recurrent_part_;  // [inner·units], [inner·4·units]
};

}  // namespace interpole::learners
