// Numbers on the command line are what they look like: no "-1" that wraps around, no 20 digits cut to what
// fits, no octal, no nan.
#pragma once

#include <CLI/CLI.hpp>

namespace interpole::cli {

// Puts a check on every option of a number, of all verbs. Whole numbers must be decimal and fit into 64 bits,
// of unsigned ones from 0 on; others must be finite.
void check_numbers(CLI::App& program);

}  // namespace interpole::cli
