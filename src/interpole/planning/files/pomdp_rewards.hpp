// The R: lines of a .pomdp file. They may speak of next states and outcomes, and later ones override earlier
// ones; what planning needs is their mean for each action and state. Internal to the reader.
#pragma once

#include <vector>

#include "interpole/planning/pomdp.hpp"

namespace interpole::planning {

inline constexpr int kEvery = -1;  // the wildcard *

struct RewardRule {
  int action = kEvery;
  int from = kEvery;
  int to = kEvery;
  int observation = kEvery;
  std::vector<double> values;  // one; or one per outcome; or a row of outcomes per next state
};

// reward[a·S + s] = Σ_s' T(s'|s,a) Σ_z O(z|a,s') R(a,s,s',z). What no rule speaks of is 0. A rule that gives
// one number for all that may follow is taken over to the last bit.
std::vector<double> mean_rewards(const Pomdp& pomdp, const std::vector<RewardRule>& rules);

}  // namespace interpole::planning
