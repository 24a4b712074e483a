// Aligned two-column tables and numbers for people.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpole/estimate.hpp"

namespace interpole::cli {

using Rows = std::vector<std::pair<std::string, std::string>>;

void print_rows(const Rows& rows);  // to stdout

// A table with a heading row: columns aligned, the first to the left, the others to the right. To stdout.
void print_table(const std::vector<std::vector<std::string>>& rows);

// How many characters a terminal shows: UTF-8 text without its continuation bytes.
std::size_t width_of(const std::string& text);

// A share with its interval, in per cent: "12.3 [11.0, 14.1]".
std::string percent_interval(const Estimate& x);
// The same of a number with a unit of its own.
std::string number_interval(const Estimate& x);

// "–" where there is no number.
std::string shown_number(const std::optional<double>& x, int digits = 4);

}  // namespace interpole::cli
