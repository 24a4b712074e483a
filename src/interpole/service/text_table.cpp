#include "interpole/service/text_table.hpp"

#include <algorithm>

namespace interpole::service {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string aligned_table(const std::vector<std::vector<std::string>>& rows, std::size_t heading) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::size_t total = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const std::size_t width : widths) total += width;
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == heading && heading > 0) text += std::string(total, '-') + "\n";
    std::string line;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string padding(widths[i] - width_of(rows[r][i]), ' ');
      line += i == 0 ? rows[r][i] + padding : "  " + padding + rows[r][i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace interpole::service
