// Cells of the CSV files we write.
#pragma once

#include <string>
#include <string_view>

namespace interpole::base {

// As RFC 4180 wants it: quoted only if it holds a comma, a quote or a line break.
std::string csv_cell(std::string_view text);

}  // namespace interpole::base
