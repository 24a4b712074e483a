// A soft decision tree with memory. At a history with last action and outcome x and memory h of the history
// before it, every split i sends a share g_i to the right:
//   g_i = σ(w_i·x + v_i·h + b_i)          P(leaf) = product of the shares along its path
//   π(a) = Σ_leaf P(leaf) softmax(θ_leaf)(a)        h' = Σ_leaf P(leaf) tanh(c_leaf + r_leaf ∘ h)
// x is one-hot: the start, the last action, its outcome (one more for a missing one). The empty history has
// no memory. Value and exact gradient on the whole history tree; cost per history about leaves · (memory +
// A).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/learners/recurrent/network_plan.hpp"
#include "interpole/learners/recurrent/recurrent_network.hpp"
#include "interpole/learners/recurrent/trainable_network.hpp"

namespace interpole::learners {

struct SoftTreeShape {
  int actions = 0;
  int outcomes = 0;  // without the missing one
  int depth = 3;
  int memory = 4;

  int inputs() const { return 1 + actions + outcomes + 1; }
  int splits() const { return (1 << depth) - 1; }
  int leaves() const { return 1 << depth; }
};

// Where weights lie in one vector of parameters, row after row.
struct SoftTreeWeights {
  WeightBlock split_input;   // [input, split]
  WeightBlock split_memory;  // [memory, split]
  WeightBlock split_bias;    // [1, split]
  WeightBlock leaf_policy;   // [leaf, action], logits
  WeightBlock memory_bias;   // [leaf, memory]
  WeightBlock memory_keep;   // [leaf, memory]
  std::size_t size;

  explicit SoftTreeWeights(const SoftTreeShape& shape);
  std::array<WeightBlock, 6> all() const {
    return {split_input, split_memory, split_bias, leaf_policy, memory_bias, memory_keep};
  }
};

std::vector<double> initial_soft_tree(const SoftTreeShape& shape, double scale, base::RandomStream& random);

class SoftTreeNetwork : public TrainableNetwork {
 public:
  // The tree is not needed afterwards.
  SoftTreeNetwork(const SoftTreeShape& shape, const HistoryTree& tree, bool deciding_only);

  NetworkLoss evaluate(std::span<const double> parameters, const DecisionCounts& training,
                       const DecisionCounts& validation, std::span<double> gradient) override;

  // π(a | history), [node·A + a]; with `leaves`, P(leaf) [node·leaves + l] too. Needs a network of all nodes.
  std::vector<double> policies(std::span<const double> parameters, std::vector<double>* leaves = nullptr);

 private:
  void prepare(std::span<const double> parameters);
  void forward();
  void forward_row(int row);
  void backward_row(int row, std::span<const double> d_policy, std::span<double> gradient);
  std::span<const double> memory_before(int row) const;
  std::array<int, 2> inputs_of(int row) const;  // −1: none

  SoftTreeShape shape_;
  SoftTreeWeights weights_;
  NetworkPlan plan_;
  const double* parameters_ = nullptr;     // of the evaluation under way
  std::vector<double> leaf_policies_;      // [leaf·A + a]
  std::vector<double> nothing_;            // the memory before the empty history
  std::vector<double> shares_;             // [row·splits] g
  std::vector<double> leaves_;             // [row·leaves] P(leaf)
  std::vector<double> written_;            // [(row·leaves + leaf)·memory] tanh
  std::vector<double> memory_, d_memory_;  // [row·memory]
  std::vector<double> policy_;             // [row·A]
  std::vector<double> d_leaf_policies_;    // [leaf·A]
};

}  // namespace interpole::learners
