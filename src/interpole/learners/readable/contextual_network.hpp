// A linear policy of the last visit whose coefficients follow the visits before it. With x the last action
// and its outcome, one-hot, with a constant; h the hidden state of an LSTM (recurrent/tree_encoder.hpp) that
// has read everything before that visit:
//   logit_a = Σ_i x_i θ_{a,i}        θ_{a,i} = v_{a,i} + V_{a,i}·h
// At the empty history there is no visit: x is the constant alone, and h = 0. Value and exact gradient on the
// whole history tree.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "interpole/learners/recurrent/trainable_network.hpp"
#include "interpole/learners/recurrent/tree_encoder.hpp"

namespace interpole::learners {

// The constant, every action, every outcome, and that none was recorded.
inline int contextual_inputs(const NetworkShape& shape) {
  return 1 + shape.actions + shape.outcomes + 1;
}

// The encoder's weights, then these.
struct ContextualWeights : EncoderWeights {
  WeightBlock by_context;  // [input·A + a, unit]: V
  WeightBlock always;      // [input, a]: v
  std::size_t size;

  explicit ContextualWeights(const NetworkShape& shape);
  std::array<WeightBlock, 6> all() const {
    return {action_input, outcome_input, recurrent, gate_bias, by_context, always};
  }
};

// As those of R-BC; coefficients begin near zero.
std::vector<double> initial_contextual(const NetworkShape& shape, double scale, base::RandomStream& random);

class ContextualNetwork : public TrainableNetwork {
 public:
  // The tree is not needed afterwards.
  ContextualNetwork(const NetworkShape& shape, const HistoryTree& tree, bool deciding_only, int threads);

  NetworkLoss evaluate(std::span<const double> parameters, const DecisionCounts& training,
                       const DecisionCounts& validation, std::span<double> gradient) override;

  // π(a | history), [node·A + a], and the coefficients θ [(node·inputs + i)·A + a]. Need a network of all
  // nodes.
  std::vector<double> policies(std::span<const double> parameters);
  std::vector<double> coefficients(std::span<const double> parameters);

 private:
  // The inputs that are one at a history, and the history whose hidden state sets their coefficients; −1:
  // none.
  std::array<int, 3> inputs_of(int row) const;
  int context_row(int row) const;
  double coefficient(int input, int action, int context);
  void logits_of(int row, std::span<double> logits);

  NetworkShape shape_;
  ContextualWeights weights_;
  TreeEncoder encoder_;
  const double* parameters_ = nullptr;  // of the evaluation under way
};

}  // namespace interpole::learners
