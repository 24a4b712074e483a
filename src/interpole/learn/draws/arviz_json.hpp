// Posterior draws as the nested dictionary that ArviZ reads with az.from_json: arrays by chain and draw, with
// named dimensions. Replaced atomically. Chains are cut to the shortest: arrays are rectangular there.
#pragma once

#include <string>

#include "interpole/learn/draws/sample.hpp"

namespace interpole::learn {

void write_arviz_json(const std::string& path, const Structure& structure, const SampleSummary& summary);

}  // namespace interpole::learn
