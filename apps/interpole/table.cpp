#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace interpole::cli {

void print_rows(const Rows& rows) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, name.size());
  for (const auto& [name, value] : rows) fmt::print("{:<{}}  {}\n", name, width, value);
}

std::string shown_number(const std::optional<double>& x, int digits) {
  return x ? fmt::format("{:.{}f}", *x, digits) : "–";
}

}  // namespace interpole::cli
