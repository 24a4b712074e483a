// What was probably meant by a verb or flag that nobody knows.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace interpole::cli {

// "; did you mean --model?", or nothing if every word is known or none is near.
std::string suggestion_for(const CLI::App& program, const std::vector<std::string>& words);

// What can stand after these words: verbs, and flags with their dashes.
std::vector<std::string> verbs_of(const CLI::App& app);
std::vector<std::string> flags_of(const CLI::App& app);

// The verb that words such as {"study", "check"} name; null: there is none.
const CLI::App* verb_named(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace interpole::cli
