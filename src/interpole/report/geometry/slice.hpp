// A triangle of beliefs within the simplex of any number of states: what can be drawn of it. Preferences are
// linear in the belief, so regions on a slice are polygons like those of three states (geometry.hpp).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "interpole/parameters.hpp"
#include "interpole/report/geometry/geometry.hpp"

namespace interpole::report {

struct Slice {
  std::array<std::vector<double>, 3> corners;  // a belief over all states each
  std::array<std::string, 3> names;            // of the corners

  // Where a belief is drawn: its shares of the three corners, which sum to one. Beliefs off the slice are
  // moved onto it.
  Belief3 shown(std::span<const double> belief) const;

  std::array<int, 3> states{};  // of the corners; −1: all the others together
};

CornerScores corner_scores(const Policy& policy, const Slice& slice);

// Three states: the whole simplex.
Slice whole_triangle(const Structure& structure);

// Beliefs that leave one of four states out; others are shown by what they say of the rest of the states.
Slice face_without(const Structure& structure, int left_out);

// Two states, and all others together in proportion to `typical` (weights of all states, at least one of them
// positive): a belief is shown by its shares of the three.
Slice two_and_rest(const Structure& structure, int first, int second, std::span<const double> typical);

}  // namespace interpole::report
