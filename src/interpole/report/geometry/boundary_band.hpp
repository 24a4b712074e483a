// Where posterior draws disagree about the likeliest action: the uncertainty of decision boundaries.
//
// A belief is outside the band if at least 1 − (1 − level)/2 of the draws name the same likeliest action
// there as the fitted policy does. Across a single boundary this is the central interval of its position that
// holds `level` of the draws.
#pragma once

#include <vector>

#include "interpole/report/geometry/geometry.hpp"

namespace interpole::report {

// Outlines of the band on a triangle of beliefs (an even number of layers is a hole). Margins between actions
// are interpolated on a lattice of `parts` per side; a band narrower than its cells is still found. Cost
// O(parts² · draws · A).
std::vector<std::vector<Belief3>> boundary_band(const CornerScores& fitted,
                                                const std::vector<CornerScores>& draws, double level,
                                                int parts = 48);

// Two states: the belief in the second at which `first` and `second` are equally likely; NaN if there is
// none, which can be outside 0 … 1.
double tie_between(const Policy& policy, int first, int second);

}  // namespace interpole::report
