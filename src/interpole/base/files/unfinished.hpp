// Files and folders that are of no use unless the program comes to its end: removed if it is ended early.
#pragma once

#include <string>

namespace interpole::base {

void remember_unfinished(const std::string& path);
void forget_unfinished(const std::string& path);

// Just before the process is ended while other threads may still work. Nothing is remembered afterwards: who
// begins another file then waits for the end.
void remove_unfinished();

}  // namespace interpole::base
