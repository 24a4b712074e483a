// Completion of verbs and flags in a shell; where a value is wanted, files.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace interpole::cli {

// bash, zsh or fish; a usage error otherwise.
std::string completion_script(const CLI::App& program, const std::string& shell);

}  // namespace interpole::cli
