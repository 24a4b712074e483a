// Helvetica and Helvetica-Bold, which every PDF reader has: how wide letters are, and which it knows.
#pragma once

#include <string>
#include <string_view>

namespace interpole::report {

// The text in the encoding PDF calls WinAnsi (Windows-1252). Letters it lacks become "?".
struct WinAnsiText {
  std::string bytes;
  std::u32string lacking;  // the letters that became "?"
};
WinAnsiText win_ansi(std::string_view text);

// Width of one line in units of its font size, from Adobe's font metrics. Letters that the font lacks count
// as wide as they are high: another font, which we do not know, will stand in for it.
double helvetica_width(std::string_view text, bool bold);

}  // namespace interpole::report
