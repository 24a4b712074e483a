// What to beware of before fitting a study to its data.
#pragma once

#include <string>
#include <vector>

#include "interpole/service/study/study_task.hpp"

namespace interpole::service {

// Outcomes seen less often than this teach next to nothing.
inline constexpr std::int64_t kRareVisits = 5;

std::vector<std::string> study_warnings(const StudyCheck& check);

}  // namespace interpole::service
