// Which action is likeliest at a belief, found the plain way.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole::report {

// By distances, not by differences of them: shares no formula with the code. −1 if the two nearest differ by
// less than `margin`.
inline int nearest_mean(const Policy& policy, std::span<const double> belief, double margin) {
  const int actions = static_cast<int>(policy.means.size() / belief.size());
  std::vector<double> distance(actions, 0.0);
  for (int a = 0; a < actions; ++a) {
    for (std::size_t s = 0; s < belief.size(); ++s) {
      distance[a] += std::pow(belief[s] - policy.means[a * belief.size() + s], 2);
    }
  }
  const int best = static_cast<int>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  for (int a = 0; a < actions; ++a) {
    if (a != best && distance[a] - distance[best] < margin) return -1;
  }
  return best;
}

}  // namespace interpole::report
