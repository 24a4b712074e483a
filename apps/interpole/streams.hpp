// Standard output as a result: what was printed must have arrived.
#pragma once

#include <string>

namespace interpole::cli {

// Before anything is opened: where standard input, output or error is closed, the next file would take its
// number, and what is printed would end up in it. Such a place is taken by something that neither gives nor
// takes anything.
void keep_streams_apart();

// Hands over what was printed so far; throws a runtime error if that fails.
void flush_output();

// What to say of it.
std::string output_failed(const std::string& reason);

}  // namespace interpole::cli
