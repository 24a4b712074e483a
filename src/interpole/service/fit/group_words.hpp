// A comparison of groups in sentences, and the evidence for each cause as a table.
#pragma once

#include <string>
#include <vector>

#include "interpole/service/fit/groups_task.hpp"

namespace interpole::service {

// The verdict, then what differs most.
std::vector<std::string> sentences_of(const GroupsOutcome& outcome);

}  // namespace interpole::service
