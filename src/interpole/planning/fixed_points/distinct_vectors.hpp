// Collects vectors, each once: to compare a new one with all that are there would cost about as much as the
// stage of planning that made it.
#pragma once

#include <span>
#include <vector>

#include "interpole/planning/alpha_vectors.hpp"

namespace interpole::planning {

class DistinctVectors {
 public:
  // For at most `most` vectors between two calls of clear().
  explicit DistinctVectors(std::size_t most);
  void clear();
  // Adds to `vectors`, to which nobody else adds, unless the same vector is there with the same action. True
  // if it was added.
  bool add_unless_there(AlphaVectors& vectors, int action, std::span<const double> vector);

 private:
  std::vector<int> slots_;  // which vector stands there, or −1; open addressing
};

}  // namespace interpole::planning
