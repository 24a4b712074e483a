// Where in a triangle of beliefs the data's decisions were made: counts at the points of a lattice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpole/report/geometry/geometry.hpp"

namespace interpole::report {

// Beliefs rounded to 1/parts; cells are numbered from 0 to lattice_size(parts) − 1.
int lattice_size(int parts);
int lattice_cell(std::span<const double> belief, int parts);
Belief3 lattice_belief(int cell, int parts);

}  // namespace interpole::report
