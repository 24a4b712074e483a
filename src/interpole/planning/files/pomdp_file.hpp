// Cassandra's .pomdp files (docs/pomdp-files.md), read strictly and written so that they read back to the
// same bits.
#pragma once

#include <string>

#include "interpole/planning/pomdp.hpp"

namespace interpole::planning {

// Throws an input error "FILE:LINE: …" that names the value and the remedy if anything is amiss.
Pomdp read_pomdp(const std::string& path);
// The same checks on text; `where` stands for the file in messages.
Pomdp parse_pomdp(const std::string& text, const std::string& where);

// Terminal actions become an end state (with_end_state). Names the format does not allow are written with _
// in place of what it lacks; a comment keeps the original.
std::string format_pomdp(const Pomdp& pomdp);
void write_pomdp(const Pomdp& pomdp, const std::string& path);  // atomically

}  // namespace interpole::planning
