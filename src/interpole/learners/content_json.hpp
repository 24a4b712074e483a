// Reading back what simple learners save. Internal: needs simdjson's header.
#pragma once

#include <string>
#include <vector>

#include "interpole/base/json/strict_json.hpp"

namespace interpole::learners {

// A list of `size` counts: finite, none negative. `what`: what there must be one for each of ("actions").
std::vector<double> json_counts(simdjson::dom::element value, const base::JsonPlace& place, std::size_t size,
                                const char* what);

// A finite number above zero.
double json_positive(simdjson::dom::element value, const base::JsonPlace& place);

// Throws an input error for a key that is not one of these.
void require_keys(simdjson::dom::object object, const base::JsonPlace& place,
                  const std::vector<std::string>& known);

}  // namespace interpole::learners
