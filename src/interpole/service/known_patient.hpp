// A patient who is asked for and not there.
#pragma once

#include <string>

#include "interpole/data_files.hpp"
#include "interpole/error.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

// Names the closest id. Reads the data once more.
Error unknown_patient(const Study& study, const DataFiles& data, const std::string& patient);

}  // namespace interpole::service
