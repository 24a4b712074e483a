#include "interpole/base/number_text.hpp"

#include <charconv>
#include <cmath>

namespace interpole::base {

std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || problem != std::errc() || stopped != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  const int first = count < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string counted(std::int64_t count, const std::string& noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace interpole::base
