// With several ranks: every one of them must read the same files. On one process there is nothing to compare.
#pragma once

#include "interpole/service/run_files.hpp"

namespace interpole::service {

// Input error on all ranks if a file is missing or another on some of them; it names the rank. What no rank
// can read is left to whoever reads it. Each rank reads its files once for this, to take digests.
void require_same_inputs(const NamedFiles& inputs);

}  // namespace interpole::service
