#include "interpole/base/number_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace interpole::base {
namespace {

std::string percent_with(double probability, int decimals) {
  if (!std::isfinite(probability)) return "–";
  if (probability <= 0.0) return "0%";
  if (probability >= 1.0) return "100%";
  const double unit = decimals == 0 ? 0.01 : 0.001;
  if (probability < unit) return decimals == 0 ? "<1%" : "<0.1%";
  if (probability > 1.0 - unit) return decimals == 0 ? ">99%" : ">99.9%";
  return without_trailing_zeros(fmt::format("{:.{}f}", 100.0 * probability, decimals)) + "%";
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || problem != std::errc() || stopped != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string short_number(double number) {
  const double size = std::abs(number);
  if (size >= 1e15 || (size > 0.0 && size < 1e-3)) return fmt::format("{:.4g}", number);
  const int decimals = size >= 1000.0 ? 0 : size >= 100.0 ? 1 : size >= 10.0 ? 2 : 3;
  return without_trailing_zeros(fmt::format("{:.{}f}", number, decimals));
}

std::string percent(double probability) {
  return percent_with(probability, 0);
}

std::string fine_percent(double probability) {
  return percent_with(probability, 1);
}

std::string percent_words(double probability) {
  if (probability > 0.0 && probability < 0.005) return "under 1%";
  if (probability < 1.0 && probability > 0.995) return "over 99%";
  return fmt::format("{:.0f}%", 100.0 * probability);
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
