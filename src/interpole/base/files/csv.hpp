// Cells of the CSV files we write.
#pragma once

#include <string>
#include <string_view>

namespace interpole::base {

// As RFC 4180 wants it: quoted only if it holds a comma, a quote or a line break.
std::string csv_cell(std::string_view text);

// The same for tables that people open: a text that a spreadsheet would take for a formula (one that begins
// with = + - or @ and is no number, or with a tab or carriage return) gets an apostrophe in front. Not for
// tables that this program reads again.
std::string shown_csv_cell(std::string_view text);

}  // namespace interpole::base
