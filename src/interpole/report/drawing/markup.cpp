#include "interpole/report/drawing/markup.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/base/text/printable.hpp"

namespace interpole::report {
namespace {

constexpr char32_t kBad = 0xFFFD;

bool disturbs(const base::FrontCharacter& letter) {
  const bool nothing = letter.code == 0xFFFE || letter.code == 0xFFFF;  // not allowed in XML
  return !letter.valid || base::is_steering(letter.code) || nothing;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const base::FrontCharacter letter = base::front_character(text);
    switch (letter.code) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      case '\t':
      case '\n':
        result += ' ';
        break;
      default:
        result += disturbs(letter) ? "\xEF\xBF\xBD" : text.substr(0, letter.bytes);
    }
    text.remove_prefix(letter.bytes);
  }
  return result;
}

std::u32string letters_of(std::string_view text) {
  std::u32string letters;
  while (!text.empty()) {
    const base::FrontCharacter letter = base::front_character(text);
    const bool space = letter.code == '\t' || letter.code == '\n';
    letters += space ? U' ' : disturbs(letter) ? kBad : letter.code;
    text.remove_prefix(letter.bytes);
  }
  return letters;
}

std::string coordinate(double value) {
  return std::isfinite(value) ? base::without_trailing_zeros(fmt::format("{:.2f}", value)) : "0";
}

}  // namespace interpole::report
