// Where a line of text lies in a drawing, and how text is cut to fit. The reader's font is not known: boxes
// are wide enough for any of the usual sans-serif fonts, of which Helvetica is a narrow one.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/report/drawing/point.hpp"

namespace interpole::report {

struct Label {
  Point at;  // on the baseline
  std::string content;
  double size = 12.0;
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  double turn = 0.0;  // degrees, clockwise, about `at`
};

// Cautious: no usual font is wider.
double label_width(std::string_view text, double size, bool bold = false);

// Corners in order around a rectangle, which may be turned.
using TextBox = std::array<Point, 4>;
TextBox box_of(const Label& label);
TextBox box_around(Point centre, double width, double height);

// They share more than a border.
bool overlap(const TextBox& a, const TextBox& b);

// Lines no wider than `width`, at most `most` of them: broken at spaces, after hyphens, underscores and
// slashes, within words that are too long; the last one ends in … if not all of the text fits.
std::vector<std::string> broken_lines(std::string_view text, double width, double size, int most,
                                      bool bold = false);

// As many lines as broken_lines makes, about equally long where nothing has to be cut.
std::vector<std::string> balanced_lines(std::string_view text, double width, double size, int most,
                                        bool bold = false);

// Whether the lines are all of the text, broken between words.
bool keeps_words(const std::vector<std::string>& lines, std::string_view text);

}  // namespace interpole::report
