// Text from outside, made safe for a terminal or a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace interpole::base {

// A character at the front of a text.
struct FrontCharacter {
  std::size_t bytes = 1;
  char32_t code = 0;
  bool valid = false;  // false: the byte there begins no UTF-8 character
};
FrontCharacter front_character(std::string_view text);  // which must not be empty

// Whether a character steers a terminal (C0 but for line ends and tabs, DEL, C1) or turns the text around it
// (bidirectional marks): what is read would then not be what stands there.
bool is_steering(char32_t code);

// The text with such characters, and bytes that are no UTF-8, written as \u001b; nothing else changes, and in
// a JSON document nothing at all, since JSON reads \u001b as the character.
std::string printable(std::string_view text);

}  // namespace interpole::base
