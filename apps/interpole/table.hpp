// Aligned two-column tables and numbers for people.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace interpole::cli {

using Rows = std::vector<std::pair<std::string, std::string>>;

void print_rows(const Rows& rows);  // to stdout

// "–" where there is no number.
std::string shown_number(const std::optional<double>& x, int digits = 4);

}  // namespace interpole::cli
