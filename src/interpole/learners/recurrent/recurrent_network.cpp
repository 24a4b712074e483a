#include "interpole/learners/recurrent/recurrent_network.hpp"

#include <cmath>

#include "interpole/learners/recurrent/lstm_kernels.hpp"

namespace interpole::learners {

int NetworkShape::output_width() const {
  return (actions + kPanel - 1) / kPanel * kPanel;
}

EncoderWeights::EncoderWeights(const NetworkShape& shape) : encoder_size(0) {
  const int gates = shape.gate_width();
  const auto next = [&](const char* name, int rows) {
    const WeightBlock block{name, encoder_size, rows, gates, gates};
    encoder_size += block.size();
    return block;
  };
  action_input = next("action_input", shape.actions);
  outcome_input = next("outcome_input", shape.outcomes + 1);
  recurrent = next("recurrent", shape.units);
  gate_bias = next("gate_bias", 1);
}

NetworkWeights::NetworkWeights(const NetworkShape& shape) : EncoderWeights(shape), size(encoder_size) {
  const auto next = [&](const char* name, int rows, int columns, int used) {
    const WeightBlock block{name, size, rows, columns, used};
    size += block.size();
    return block;
  };
  const int outputs = shape.output_width();
  dense = next("dense", shape.units, shape.dense_units, shape.dense_units);
  dense_bias = next("dense_bias", 1, shape.dense_units, shape.dense_units);
  output = next("output", shape.dense_units, outputs, shape.actions);
  output_bias = next("output_bias", 1, outputs, shape.actions);
}

std::vector<double> initial_weights(const NetworkShape& shape, double scale, base::RandomStream& random) {
  const NetworkWeights weights(shape);
  std::vector<double> parameters(weights.size, 0.0);
  for (const WeightBlock& block : weights.all()) {
    const bool is_output = block.offset >= weights.output.offset;
    const double range = scale / std::sqrt(is_output ? shape.dense_units : shape.units);
    for (int row = 0; row < block.rows; ++row) {
      for (int column = 0; column < block.used; ++column) {
        parameters[block.offset + static_cast<std::size_t>(row) * block.columns + column] =
            range * (2.0 * random.uniform() - 1.0);
      }
    }
  }
  for (int unit = 0; unit < shape.units; ++unit) {
    parameters[weights.gate_bias.offset + shape.units + unit] += 1.0;
  }
  return parameters;
}

}  // namespace interpole::learners
