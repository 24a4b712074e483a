// What stands in a drawing's file. Text from outside is made safe: names of states, actions and outcomes may
// hold anything.
#pragma once

#include <string>
#include <string_view>

namespace interpole::report {

// Escapes & < > " '. Control characters, characters that reverse the direction of writing and bytes that are
// not UTF-8 become U+FFFD, so that no name can disturb the text around it.
std::string escaped(std::string_view text);

// The letters of a text; bytes that are not UTF-8, and characters that escaped() would not let through, are
// U+FFFD.
std::u32string letters_of(std::string_view text);

// A coordinate: at most two decimals; 0 if it is not a number.
std::string coordinate(double value);

}  // namespace interpole::report
