// The LSTM of a recurrent network run on a history tree: hidden states once per history, whole levels at a
// time, and the adjoint of every step. What is made of hidden states is others' business (tree_network.hpp).
//
// With c, h the parent's cell and hidden state, R the recurrent weights, W the rows for action and outcome:
//   (i, f, g, o) = σ, σ, tanh, σ (R h + W_a + W_z + bias)    c' = f c + i g    h' = o tanh c'
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpole/base/aligned.hpp"
#include "interpole/learners/recurrent/lstm_kernels.hpp"
#include "interpole/learners/recurrent/network_plan.hpp"
#include "interpole/learners/recurrent/recurrent_network.hpp"

namespace interpole::learners {

class TreeEncoder {
 public:
  // The tree is not needed afterwards.
  TreeEncoder(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only, int threads);

  const NetworkPlan& plan() const { return plan_; }

  // Hidden states at these weights, which must outlive the adjoint.
  void forward(const double* parameters);
  double* hidden(int row) { return &hidden_[static_cast<std::size_t>(row) * shape_.units]; }
  const base::AlignedVector<double>& hidden() const { return hidden_; }

  // Derivatives by hidden states, [row·units]: the caller's part is written there before backward(), which
  // adds what goes through later histories.
  base::AlignedVector<double>& d_hidden();
  void backward();
  // Overwrites the encoder's part of the gradient.
  void collect(std::span<double> gradient) const;

  // Calls task(from, to) for pieces of [begin, end) whose cut depends on nothing but these numbers.
  void in_pieces(int begin, int end, int piece, const std::function<void(int, int)>& task) const;

 private:
  static constexpr int kInnersPerTask = 32;  // with their children

  void pack(const double* parameters);
  void forward_block(int begin, int end);
  void step_forward(int row);
  void backward_block(int begin, int end);
  void step_backward(int row);
  void collect_inputs(int gate, std::span<double> gradient) const;

  NetworkShape shape_;
  EncoderWeights weights_;
  NetworkPlan plan_;
  int threads_;

  PackedMatrix recurrent_, recurrent_back_;
  base::AlignedVector<double>
      inputs_;  // [(action·(Z+1) + outcome)·gates + …] with the bias; last: bias alone
  base::AlignedVector<double> gates_;                          // [row·4·units]; later their derivatives
  base::AlignedVector<double> cell_, squashed_, hidden_;       // [row·units]
  base::AlignedVector<double> d_hidden_, d_cell_;              // [row·units]
  base::AlignedVector<double> inner_hidden_, recurrent_part_;  // [inner·units], [inner·4·units]
};

}  // namespace interpole::learners
