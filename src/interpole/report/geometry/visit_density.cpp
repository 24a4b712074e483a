#include "interpole/report/geometry/visit_density.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::report {

int lattice_size(int parts) {
  return (parts + 1) * (parts + 1);
}

int lattice_cell(std::span<const double> belief, int parts) {
  const int third = std::clamp(static_cast<int>(std::lround(belief[2] * parts)), 0, parts);
  const int second = std::clamp(static_cast<int>(std::lround(belief[1] * parts)), 0, parts - third);
  return third * (parts + 1) + second;
}

Belief3 lattice_belief(int cell, int parts) {
  const int third = cell / (parts + 1);
  const int second = cell % (parts + 1);
  const auto share = [&](int n) { return static_cast<double>(n) / parts; };
  return {share(parts - second - third), share(second), share(third)};
}

}  // namespace interpole::report
