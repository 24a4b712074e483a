// Standard output as a result: what was printed must have arrived.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace interpole::cli {

// To standard output, as base::printable has it: names from tables, studies and models steer no terminal.
// Throws a runtime error if it does not arrive.
void print_text(std::string_view text);
template <class... Arguments>
void show(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  print_text(fmt::format(text, std::forward<Arguments>(arguments)...));
}
// A line to standard error.
void print_error(std::string_view before, std::string_view text);

// Before anything is opened: where standard input, output or error is closed, the next file would take its
// number, and what is printed would end up in it. Such a place is taken by something that neither gives nor
// takes anything.
void keep_streams_apart();

// Hands over what was printed so far; throws a runtime error if that fails.
void flush_output();

// What to say of it.
std::string output_failed(const std::string& reason);

}  // namespace interpole::cli
