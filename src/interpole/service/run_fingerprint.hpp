// What the result of a run depends on, for its checkpoint: the program, the study and the data as they are,
// and whatever options the verb adds.
#pragma once

#include <string>

#include "interpole/base/checkpoint.hpp"
#include "interpole/data/data_files.hpp"

namespace interpole {

// Reads the files to hash them.
Checkpoint::Fingerprint run_fingerprint(const std::string& verb, const std::string& study,
                                        const DataFiles& data);

// Throws a usage error if two of a run's files are the same, and a runtime error if one cannot be made where
// it is wanted: better now than at the end. Empty names are not used.
void require_separate_files(const Checkpoint::Fingerprint& flags_and_files);

}  // namespace interpole
