// Several files that hold parts of one table, read by the library, one after the other.
#pragma once

#include <string>
#include <vector>

#include "interpole/data_files.hpp"

namespace interpole::data {

// All must have the columns of the first, in whatever order. Throws an input error that names the file.
MemoryTable read_joined_files(const std::vector<std::string>& paths);

}  // namespace interpole::data
