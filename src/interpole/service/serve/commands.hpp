// What the served page tells its reader to type at a command line. Here and nowhere else in this room: the
// person who reads the page is the one who started `interpole serve`, so unlike the rest of the library these
// texts name flags.
#pragma once

#include <string>

#include "interpole/service/fit/fit_task.hpp"

namespace interpole::service {

// A command line that makes the same fit, for a shell.
std::string command_of(const FitRequest& request);

// How to serve a page that can fit again.
std::string command_with_study();

// How to compare numbers of states.
std::string command_of_states();

}  // namespace interpole::service
