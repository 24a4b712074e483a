// How far a belief has moved.
#pragma once

#include <cmath>
#include <span>

namespace interpole::explain {

// Euclidean.
inline double belief_distance(std::span<const double> x, std::span<const double> y) {
  double square = 0.0;
  for (std::size_t s = 0; s < x.size(); ++s) square += (x[s] - y[s]) * (x[s] - y[s]);
  return std::sqrt(square);
}

}  // namespace interpole::explain
