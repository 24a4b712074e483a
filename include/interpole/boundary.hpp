// How far a belief is from the nearest boundary: the smallest change of belief (Euclidean, within the
// simplex) after which another action would be the most likely one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interpole/belief.hpp"
#include "interpole/parameters.hpp"

namespace interpole {

struct NearestBoundary {
  int action = 0;             // on the other side
  double distance = 0.0;      // ‖shift‖
  std::vector<double> shift;  // of the belief, to the boundary; sums to zero
};

// None if one action is the most likely one at every belief, or if η = 0 (all are equally likely everywhere).
std::optional<NearestBoundary> nearest_boundary(const Structure& structure, const Policy& policy,
                                                std::span<const double> belief);

// The action whose mean is nearest; the first of several.
int most_likely_action(const Structure& structure, const Policy& policy, std::span<const double> belief);
// The same in a context: with all terms of the policy.
int most_likely_action(const Structure& structure, const Policy& policy, std::span<const double> belief,
                       const DecisionContext& context);

}  // namespace interpole
