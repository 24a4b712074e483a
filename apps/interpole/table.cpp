#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/number_text.hpp"
#include "streams.hpp"

namespace interpole::cli {

void print_rows(const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, width_of(name));
  for (const auto& [name, value] : rows) {
    show("{}{}  {}\n", name, std::string(width - width_of(name), ' '), value);
  }
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width_of(row[i]), ' ');
      line += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    show("{}\n", line);
  }
}

std::string percent_interval(const Estimate& x) {
  return fmt::format("{:.1f} [{:.1f}, {:.1f}]", 100.0 * x.middle, 100.0 * x.low, 100.0 * x.high);
}

std::string number_interval(const Estimate& x) {
  return fmt::format("{} [{}, {}]", base::short_number(x.middle), base::short_number(x.low),
                     base::short_number(x.high));
}

std::string shown_number(const std::optional<double>& x, int digits) {
  return x ? fmt::format("{:.{}f}", *x, digits) : "–";
}

}  // namespace interpole::cli
