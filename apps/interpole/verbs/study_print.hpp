// A study check as tables for people.
#pragma once

#include "interpole/service/study/study_task.hpp"

namespace interpole::cli {

void print_check(const service::StudyCheck& check);  // to stdout

}  // namespace interpole::cli
