// The sections of a write-up, as Markdown. AUTHOR marks what only the author can say.
#pragma once

#include <cstdint>
#include <string>

#include "interpole/service/write_up/write_up_task.hpp"

namespace interpole::service {

// "1,200 patients", or "fewer than 11 patients".
std::string safe_words(std::int64_t count, const std::string& noun, std::int64_t min_cell);

std::string methods_section(const WriteUpFacts& facts);
std::string results_section(const WriteUpFacts& facts);
std::string references_section();

}  // namespace interpole::service
