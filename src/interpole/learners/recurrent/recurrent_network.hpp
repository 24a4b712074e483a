// The network of R-BC (paper, C.2): an LSTM reads a history step by step, a dense layer of rectified units
// and a softmax turn its hidden state into the probability of each next action. Here: its shape, and where
// its weights lie in one vector of parameters.
//
// A step's input is one-hot in the action and in its outcome (one more for a missing one), so a weight matrix
// times the input is the sum of two of its rows. The empty history has no input.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "interpole/base/random.hpp"

namespace interpole::learners {

struct NetworkShape {
  int actions = 0;
  int outcomes = 0;      // without the missing one
  int units = 64;        // of the LSTM
  int dense_units = 64;  // both multiples of kPanel (lstm_kernels.hpp)

  int gate_width() const { return 4 * units; }  // input, forget, candidate, output
  int output_width() const;                     // actions, filled up to a multiple of kPanel
};

// A row-major matrix among the parameters. Columns from `used` on are padding: zero, and never learned.
struct WeightBlock {
  const char* name;
  std::size_t offset;
  int rows;
  int columns;
  int used;

  std::size_t size() const { return static_cast<std::size_t>(rows) * columns; }
};

// Of the LSTM alone: the first of a network's weights, whatever reads its hidden state.
struct EncoderWeights {
  WeightBlock action_input;   // [action, gate]
  WeightBlock outcome_input;  // [outcome or missing, gate]
  WeightBlock recurrent;      // [unit, gate]
  WeightBlock gate_bias;
  std::size_t encoder_size;

  explicit EncoderWeights(const NetworkShape& shape);
};

struct NetworkWeights : EncoderWeights {
  WeightBlock dense;  // [unit, dense unit]
  WeightBlock dense_bias;
  WeightBlock output;  // [dense unit, action]
  WeightBlock output_bias;
  std::size_t size;  // of the parameter vector

  explicit NetworkWeights(const NetworkShape& shape);
  std::array<WeightBlock, 8> all() const {
    return {action_input, outcome_input, recurrent, gate_bias, dense, dense_bias, output, output_bias};
  }
};

// Uniform within ±scale/√(inputs of the layer); the forget gates start one higher, so that what was seen long
// ago has a gradient from the first iteration on. The smaller the scale, the simpler the rules that are found
// first, and the longer it takes to find any.
std::vector<double> initial_weights(const NetworkShape& shape, double scale, base::RandomStream& random);

}  // namespace interpole::learners
