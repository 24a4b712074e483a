// Where decision boundaries cross the sides of the belief simplex: between two states, all others ruled out,
// the belief at which one action takes over from another. With intervals: thresholds a clinician can read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/estimate.hpp"
#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::explain {

// On the side from state `from` (position 0) to state `to` (position 1), where `before` and `after` are
// equally likely; `before` is the likelier one towards `from`.
struct SideBoundary {
  int from = 0;
  int to = 1;
  int before = 0;
  int after = 1;
  double position = 0.0;  // of the policy asked about: the belief in `to`
};

// Those at which the two are also the likeliest of all actions, by side and position.
std::vector<SideBoundary> side_boundaries(const Structure& structure, const Policy& policy);

// The position at which two actions are equally likely on a side, if there is one (it may lie outside 0 … 1).
// `advantage`: what the context adds to the exponent of `after`, less what it adds to that of `before`.
std::optional<double> crossing(const Structure& structure, const Policy& policy, int before, int after,
                               int from, int to, double advantage = 0.0);

struct SideBoundaryEstimate {
  SideBoundary boundary;
  Estimate position;     // over draws in which the two actions cross on this line at all
  double present = 0.0;  // share of draws in which it lies on the side and no third action is likelier there
};

// "43% [41, 45]". A boundary need not lie where beliefs are: where the interval leaves 0 to 100%, words say
// what that means, "90% [81, 100] or at no belief", and where it holds all of it, "not determined".
std::string shown_position(const Estimate& position);

// The same boundary where a term is at one of its levels and all others are left out: it shifts in parallel.
struct ShiftedBoundary {
  SideBoundary boundary;
  std::string level;  // after test, step 3, site = north
  Estimate position;
};
// At every level of every additive term but the numbers; without terms none.
std::vector<ShiftedBoundary> shifted_boundaries(const Structure& structure, const Policy& fitted,
                                                const std::vector<AgentWorld>& draws, double level);

std::vector<SideBoundaryEstimate> estimate_side_boundaries(const Structure& structure, const Policy& fitted,
                                                           const std::vector<AgentWorld>& draws,
                                                           double level);

}  // namespace interpole::explain
