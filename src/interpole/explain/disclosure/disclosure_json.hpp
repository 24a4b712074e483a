// Counts in JSON that may be published.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace interpole::explain {

// Null for small counts.
nlohmann::ordered_json count_json(std::int64_t count, std::int64_t min_cell);

// The same document, its counts of patients, decisions and histories as count_json has them, at any depth.
nlohmann::ordered_json without_small_counts(nlohmann::ordered_json json, std::int64_t min_cell);

}  // namespace interpole::explain
