// What the result of a run depends on, for its checkpoint: the program, the study and the data as they are,
// and whatever options the verb adds.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "interpole/base/files/checkpoint.hpp"
#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

// Reads the files to hash them.
base::Checkpoint::Fingerprint run_fingerprint(const std::string& verb, const std::string& study,
                                              const DataFiles& data);

// The part of it that says which data they are.
base::Checkpoint::Fingerprint data_digests(const DataFiles& data);

// The checkpoint a run was asked to keep, and a word to the user if it goes on from there; null if the path
// is empty.
std::unique_ptr<base::Checkpoint> open_checkpoint(
    const std::string& path, const std::function<base::Checkpoint::Fingerprint()>& fingerprint,
    double seconds, Sink& sink);

}  // namespace interpole::service
