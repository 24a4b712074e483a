// Manual pages in the format that man(1) reads.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace interpole::cli {

// File names and texts: interpole.1, and one for each verb.
std::vector<std::pair<std::string, std::string>> manual_pages(const CLI::App& program);

}  // namespace interpole::cli
