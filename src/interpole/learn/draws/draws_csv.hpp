// Posterior draws as a CSV file (learn/draws/draws_file.hpp says what is in it). Replaced atomically.
#pragma once

#include <string>

#include "interpole/learn/draws/sample.hpp"

namespace interpole::learn {

void write_draws_csv(const std::string& path, const Structure& structure, const SampleSummary& summary);

}  // namespace interpole::learn
