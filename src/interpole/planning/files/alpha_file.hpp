// Value functions on disk, as pomdp-solve reads them: for each vector a line with the number of
// its action, a line with its value in every state, and an empty line. More is better, also for problems with
// costs.
#pragma once

#include <string>

#include "interpole/planning/alpha_vectors.hpp"

namespace interpole::planning {

// Numbers read back to the same bits. Throws a usage error if no stage is left and so no action is named.
std::string format_alpha(const AlphaVectors& vectors);
void write_alpha(const AlphaVectors& vectors, const std::string& path);  // atomically

}  // namespace interpole::planning
