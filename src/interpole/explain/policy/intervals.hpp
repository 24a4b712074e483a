// How sure every learned number of a fit is, and every boundary: intervals from posterior draws.
#pragma once

#include <string>
#include <vector>

#include "interpole/explain/policy/side_boundaries.hpp"

namespace interpole::explain {

struct ParameterEstimate {
  std::string name;   // observation[monitor,diseased,negative], world.…
  double best = 0.0;  // of the fit: the mode, which need not be the middle
  Estimate estimate;
};

struct FitIntervals {
  double level = 0.95;
  std::vector<ParameterEstimate> parameters;  // those that vary between draws
  std::vector<SideBoundaryEstimate> boundaries;
  std::vector<ShiftedBoundary> shifted;  // of the same boundaries, where the policy has terms
};

FitIntervals fit_intervals(const Structure& structure, const AgentWorld& best,
                           const std::vector<AgentWorld>& draws, double level = 0.95);

// "monitor gives way to declare-diseased at 89% [87, 91] diseased (against healthy)"
std::string sentence_of(const Structure& structure, const SideBoundaryEstimate& boundary);

// The same, with the levels of terms that surely shift it most: "…; 12% [8, 17] after test".
std::string sentence_of(const Structure& structure, const SideBoundaryEstimate& boundary,
                        const std::vector<ShiftedBoundary>& shifted);

}  // namespace interpole::explain
