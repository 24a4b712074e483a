// Lists of a model file: their lengths follow from names. Internal: needs simdjson's header.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interpole/base/json/strict_json.hpp"

namespace interpole::model {

// "FILE: means[1]: reason", an input error.
[[noreturn]] void refuse(const base::JsonPlace& place, const std::string& reason);

// Refuses any other number of entries than one for each of `what`.
simdjson::dom::array list_of(simdjson::dom::element value, const base::JsonPlace& place, std::size_t size,
                             const char* what);

std::vector<std::string> read_names(simdjson::dom::element value, const base::JsonPlace& place);

void append_row(simdjson::dom::element value, const base::JsonPlace& place, std::size_t size,
                const char* what, std::vector<double>& to);

}  // namespace interpole::model
