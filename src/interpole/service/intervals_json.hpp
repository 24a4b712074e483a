// Intervals of a fit as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "interpole/explain/policy/intervals.hpp"

namespace interpole::service {

nlohmann::ordered_json estimate_json(const Estimate& x);
nlohmann::ordered_json intervals_json(const Structure& structure, const explain::FitIntervals& intervals);

}  // namespace interpole::service
