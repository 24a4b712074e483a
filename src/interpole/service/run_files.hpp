// The files of a run: what it writes must not be what it reads, and what it read must be what it speaks of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpole/base/files/file_stamp.hpp"
#include "interpole/data_files.hpp"

namespace interpole::service {

// By what they are to the run: {"option output", "model.json"}. Empty names are not used.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

// These, and every file of the data.
NamedFiles with_data(NamedFiles inputs, const DataFiles& data);

// Throws a usage error if two outputs are one file, or an output is also read (by whatever name), and a
// runtime error if one cannot be made where it is wanted: better now than at the end.
void require_separate_files(const NamedFiles& outputs, const NamedFiles& inputs = {});

// Begins to watch; see WatchedFiles.
base::WatchedFiles watched(const NamedFiles& inputs);

}  // namespace interpole::service
