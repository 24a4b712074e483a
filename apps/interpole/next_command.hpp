// The command that makes sense after the one that has just ended, said on stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace interpole::cli {

// After a verb that ended well, made of the flags it was given. Nothing with --quiet or --json, and nothing
// after verbs that say it themselves or end a way.
void say_next_command(const CLI::App& program);

// A word as a shell takes it for one: quoted where it must be.
std::string shell_word(const std::string& word);

}  // namespace interpole::cli
