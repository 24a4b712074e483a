#include "interpole/report/drawing/markup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "interpole/base/number_text.hpp"

namespace interpole::report {
namespace {

constexpr std::uint32_t kBad = 0xFFFD;

struct Letter {
  std::uint32_t code = kBad;
  std::size_t bytes = 1;
};

int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// The letter at the start of `text`, which is not empty. What is not UTF-8 is one bad letter of one byte.
Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const int length = sequence_length(lead);
  if (length == 0 || text.size() < static_cast<std::size_t>(length)) return {};
  std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return {};
    code = code << 6 | (byte & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool outside = code > 0x10FFFF || (code >= 0xD800 && code < 0xE000);
  if (overlong || outside) return {};
  return {code, static_cast<std::size_t>(length)};
}

bool disturbs(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
                         code == 0x200E || code == 0x200F;
  const bool nothing = code == 0xFFFE || code == 0xFFFF;  // not allowed in XML
  return control || direction || nothing || code == kBad;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
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
        result += disturbs(letter.code) ? "\xEF\xBF\xBD" : text.substr(0, letter.bytes);
    }
    text.remove_prefix(letter.bytes);
  }
  return result;
}

std::u32string letters_of(std::string_view text) {
  std::u32string letters;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const bool space = letter.code == '\t' || letter.code == '\n';
    letters += static_cast<char32_t>(space ? ' ' : disturbs(letter.code) ? kBad : letter.code);
    text.remove_prefix(letter.bytes);
  }
  return letters;
}

std::string coordinate(double value) {
  return std::isfinite(value) ? base::without_trailing_zeros(fmt::format("{:.2f}", value)) : "0";
}

}  // namespace interpole::report
