// Numbers in the JSON we write: what is not finite, or not there, is null.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace interpole::base {

inline nlohmann::ordered_json json_number(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}
inline nlohmann::ordered_json json_number(const std::optional<double>& x) {
  return x ? json_number(*x) : nlohmann::ordered_json(nullptr);
}

}  // namespace interpole::base
