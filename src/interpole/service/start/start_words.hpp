// What `start` assumed, found and doubts, in sentences.
#pragma once

#include <string>
#include <vector>

#include "interpole/service/start/start_task.hpp"

namespace interpole::service {

std::vector<std::string> assumptions(const StartOutcome& outcome);
std::vector<std::string> first_findings(const StartOutcome& outcome);
std::vector<std::string> cautions_of(const StartOutcome& outcome);

}  // namespace interpole::service
