// The items that two reporting guidelines ask for, with what a fit knows of each.
#pragma once

#include <string>

#include "interpole/service/write_up/write_up_task.hpp"

namespace interpole::service {

// RECORD (studies of routinely collected health data, 2015) and TRIPOD+AI (prediction models, 2024): number,
// what is asked for in a few words, and what is known. AUTHOR marks what remains.
std::string reporting_section(const WriteUpFacts& facts);

}  // namespace interpole::service
