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

}  // namespace interpole::base
