// The directions in which a fit could have gone: explanations one small step to either side of it, along the
// principal axes of its posterior.
#pragma once

#include <utility>
#include <vector>

#include "interpole/fit.hpp"

namespace interpole::explain {

struct FittedDirections {
  static constexpr double kStep = 0.05;  // standard deviations to either side
  std::vector<std::pair<AgentWorld, AgentWorld>> ends;
};

// Of the part of the posterior that is nearest to the fit. None if the fit does not say how sure it is.
FittedDirections fitted_directions(const FitResult& fit);

}  // namespace interpole::explain
