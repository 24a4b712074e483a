#include "interpole/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"

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

std::string safe_count(std::int64_t count, int min_cell) {
  return count > 0 && count < min_cell ? fmt::format("<{}", min_cell) : base::grouped(count);
}

std::vector<char> withheld(std::span<const std::int64_t> counts, int min_cell) {
  std::vector<char> hidden(counts.size(), 0);
  std::int64_t sum = 0;
  int cells = 0;
  const auto hide = [&](std::size_t i) {
    hidden[i] = 1;
    sum += counts[i];
    ++cells;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0 && counts[i] < min_cell) hide(i);
  }
  // A single withheld cell is total − rest; several that add up to less than min_cell give each other away as
  // well.
  while (cells > 0 && (cells == 1 || sum < min_cell)) {
    std::size_t smallest = counts.size();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (hidden[i] || counts[i] == 0) continue;
      if (smallest == counts.size() || counts[i] < counts[smallest]) smallest = i;
    }
    if (smallest == counts.size()) break;
    hide(smallest);
  }
  return hidden;
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  return without_trailing_zeros(fmt::format("{:.2f}", value));
}

}  // namespace interpole::report
