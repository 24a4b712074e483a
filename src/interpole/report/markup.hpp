// Text that is safe to stand in an HTML document. Names of states, actions and outcomes come from outside and
// may hold anything; they become Markup only through escaped(), so a name cannot reach the page unescaped by
// oversight.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interpole {

struct Markup {
  std::string html;
  Markup& operator+=(const Markup& more) {
    html += more.html;
    return *this;
  }
};

// Escapes & < > " '. Control characters, characters that reverse the direction of writing and bytes that are
// not UTF-8 become U+FFFD, so that no name can disturb the text around it.
Markup escaped(std::string_view text);

// The letters of a text; bytes that are not UTF-8, and characters that escaped() would not let through, are
// U+FFFD.
std::u32string letters_of(std::string_view text);

// Markup written by us: never give it text from outside.
inline Markup literal(std::string_view html) {
  return {std::string(html)};
}

// <tag class="…">inner</tag>; no class attribute if `css` is empty.
Markup element(std::string_view tag, std::string_view css, const Markup& inner);

// Fonts are not known here, so the width of a line of text in units of its font size is a cautious guess.
double text_width(std::string_view text);

// The text, or as much of its beginning as fits into `width`, with an ellipsis. Empty if not even two letters
// fit.
std::string shortened(std::string_view text, double width, double font_size);

// The text on one line or, broken after a space, hyphen or underscore, on two; a shortened line if neither
// fits.
std::vector<std::string> wrapped(std::string_view text, double width, double font_size);

}  // namespace interpole
