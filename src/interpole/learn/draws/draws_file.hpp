// Posterior draws as a CSV file, one row per draw: what `sample` writes, and what everything that shows an
// interval can read instead of the normal approximation in a model file.
//
// Columns: chain, iteration, log_posterior, divergent, then every number of the agent's mind, named like
// observation[monitor,diseased,negative] (known ones too: a file explains itself), then the world's with
// "world." before the name, then the coupling scales (scale[observation]) where they were sampled.
#pragma once

#include <string>
#include <vector>

#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

// The names of the columns that hold an explanation, in file order.
std::vector<std::string> agent_world_columns(const Structure& structure, bool with_world);

// Its numbers, in the order of explanation_columns.
std::vector<double> agent_world_values(const AgentWorld& agent_world);

// Draws in file order. Throws an input error naming file, row, column and value: a column that is missing,
// a cell that is not a number, rows that do not sum to one, no draws at all.
std::vector<AgentWorld> read_draws(const std::string& path, const Structure& structure);

}  // namespace interpole::learn
