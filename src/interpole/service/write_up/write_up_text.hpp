// The sections of a write-up, as Markdown. AUTHOR marks what only the author can say.
#pragma once

#include <string>

#include "interpole/service/write_up/write_up_task.hpp"

namespace interpole::service {

std::string methods_section(const WriteUpFacts& facts);
std::string results_section(const WriteUpFacts& facts);
std::string references_section();

}  // namespace interpole::service
