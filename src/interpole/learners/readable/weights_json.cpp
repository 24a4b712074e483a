#include "interpole/learners/readable/weights_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/learners/features/feature_content.hpp"

namespace interpole::learners {
namespace {

std::vector<double> json_weights(simdjson::dom::object content, const base::JsonPlace& place,
                                 std::span<const WeightBlock> blocks, std::size_t size) {
  std::vector<double> parameters(size, 0.0);
  for (const WeightBlock& block : blocks) {
    const std::vector<double> values =
        json_table(base::json_member(content, block.name, place), place.at(block.name), block.rows,
                   block.used, "rows of this structure");
    for (int row = 0; row < block.rows; ++row) {
      for (int column = 0; column < block.used; ++column) {
        parameters[block.offset + static_cast<std::size_t>(row) * block.columns + column] =
            values[static_cast<std::size_t>(row) * block.used + column];
      }
    }
  }
  return parameters;
}

}  // namespace

void add_weights(std::span<const WeightBlock> blocks, std::span<const double> parameters,
                 nlohmann::ordered_json& json) {
  for (const WeightBlock& block : blocks) {
    std::vector<double> used;
    for (int row = 0; row < block.rows; ++row) {
      const auto* from = &parameters[block.offset + static_cast<std::size_t>(row) * block.columns];
      used.insert(used.end(), from, from + block.used);
    }
    json[block.name] = table_json(used, block.used);
  }
}

int json_whole(simdjson::dom::object content, const char* key, const base::JsonPlace& place, int least,
               int most) {
  const double value = base::json_number(base::json_member(content, key, place), place.at(key));
  if (!(value >= least && value <= most) || value != std::floor(value)) {
    throw input_error(
        fmt::format("{}: {} is not a whole number from {} to {}", place.at(key).text(), value, least, most));
  }
  return static_cast<int>(value);
}

TrainedNetwork json_trained(simdjson::dom::object content, const base::JsonPlace& place,
                            std::vector<std::string> more, std::span<const WeightBlock> blocks,
                            std::size_t size) {
  more.insert(more.end(), {"loss", "iterations", "converged"});
  for (const WeightBlock& block : blocks) more.emplace_back(block.name);
  require_keys(content, place, more);
  TrainedNetwork network;
  network.loss = base::json_number(base::json_member(content, "loss", place), place.at("loss"));
  network.iterations = json_whole(content, "iterations", place, 1, 1'000'000'000);
  const auto converged = base::json_member(content, "converged", place);
  if (!converged.is_bool()) {
    throw input_error(fmt::format("{}: {} is neither true nor false", place.at("converged").text(),
                                  base::describe(converged)));
  }
  network.converged = converged.get_bool().value_unsafe();
  network.parameters = json_weights(content, place, blocks, size);
  return network;
}

}  // namespace interpole::learners
