#include "interpole/explain/disclosure/disclosure_json.hpp"

#include <nlohmann/json.hpp>

#include "interpole/explain/disclosure/disclosure.hpp"

namespace interpole::explain {

nlohmann::ordered_json count_json(std::int64_t count, std::int64_t min_cell) {
  return is_small(count, min_cell) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(count);
}

nlohmann::ordered_json without_small_counts(nlohmann::ordered_json json, std::int64_t min_cell) {
  if (json.is_object()) {
    for (const char* name : {"patients", "decisions", "histories"}) {
      const auto found = json.find(name);
      if (found != json.end() && found->is_number_integer()) {
        *found = count_json(found->get<std::int64_t>(), min_cell);
      }
    }
  }
  if (json.is_structured()) {
    for (auto& value : json) value = without_small_counts(value, min_cell);
  }
  return json;
}

}  // namespace interpole::explain
