// The library names options by words, "option min-cell: -3 is negative". At the command line an option is a
// flag, "--min-cell".
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace interpole::cli {

// The flags of all verbs. Called once, when every verb has been added and before one runs.
void know_flags(const CLI::App& program);

// What the library says, as the user of this program is to read it:
//   "option min-cell"                 becomes  "--min-cell",
//   "learner option units"            becomes  "--learner-option units",
//   "ask for more draws (option draws)"  becomes  "ask for more --draws".
// Other words stay, and so does all that is in quotation marks: that is the user's own.
std::string with_flags(std::string_view words);

}  // namespace interpole::cli
