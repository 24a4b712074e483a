// A patient who is asked for and not there.
#pragma once

#include <string>

#include "interpole/base/error.hpp"
#include "interpole/data/study/study.hpp"
#include "interpole/data/tables/data_files.hpp"

namespace interpole {

// Names the closest id. Reads the data once more.
Error unknown_patient(const Study& study, const DataFiles& data, const std::string& patient);

}  // namespace interpole
