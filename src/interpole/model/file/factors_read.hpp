// The measured factors of a model file. Internal: needs simdjson's header.
#pragma once

#include "interpole/base/json/strict_json.hpp"
#include "interpole/structure.hpp"

namespace interpole::model {

std::vector<MeasuredFactor> read_factors(simdjson::dom::element value, const base::JsonPlace& place,
                                         const std::vector<std::string>& actions);

}  // namespace interpole::model
