// Intervals of a fit as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "interpole/explain/policy/intervals.hpp"

namespace interpole {

nlohmann::ordered_json estimate_json(const Estimate& x);
nlohmann::ordered_json intervals_json(const Structure& structure, const FitIntervals& intervals);

}  // namespace interpole
