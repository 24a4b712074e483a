#include "interpole/base/text/printable.hpp"

#include <fmt/format.h>

namespace interpole::base {
namespace {

constexpr char32_t kLeastOfLength[] = {0, 0, 0x80, 0x800, 0x10000};

bool is_surrogate(char32_t code) {
  return code >= 0xD800 && code < 0xE000;
}

}  // namespace

FrontCharacter front_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {1, first, true};
  const FrontCharacter none{1, first, false};
  if (first < 0xC2 || first > 0xF4) return none;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < length) return none;
  char32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return none;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  if (code < kLeastOfLength[length] || code > 0x10FFFF || is_surrogate(code)) return none;
  return {length, code, true};
}

bool is_steering(char32_t code) {
  if (code < 0x20) return code != '\n' && code != '\t';
  if (code < 0x7F) return false;
  if (code < 0xA0) return true;
  return code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const FrontCharacter front = front_character(text);
    if (!front.valid || is_steering(front.code)) {
      result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(front.code));
    } else {
      result += text.substr(0, front.bytes);
    }
    text.remove_prefix(front.bytes);
  }
  return result;
}

}  // namespace interpole::base
