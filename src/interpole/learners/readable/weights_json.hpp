// Weights of a network in learner files, block by block. Internal: needs simdjson's header.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "interpole/base/json/strict_json.hpp"
#include "interpole/learners/recurrent/network_training.hpp"

namespace interpole::learners {

void add_weights(std::span<const WeightBlock> blocks, std::span<const double> parameters,
                 nlohmann::ordered_json& json);

// What training says of a network (loss, iterations, converged) and its weights; no keys but these and
// `more`.
TrainedNetwork json_trained(simdjson::dom::object content, const base::JsonPlace& place,
                            std::vector<std::string> more, std::span<const WeightBlock> blocks,
                            std::size_t size);

// A whole number within bounds.
int json_whole(simdjson::dom::object content, const char* key, const base::JsonPlace& place, int least,
               int most);

}  // namespace interpole::learners
