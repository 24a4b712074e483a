#include "interpole/report/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace interpole::report {
namespace {

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

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

std::string percent(double probability) {
  return percent_with(probability, 0);
}

std::string fine_percent(double probability) {
  return percent_with(probability, 1);
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  return without_trailing_zeros(fmt::format("{:.2f}", value));
}

}  // namespace interpole::report
