// Whether those who decide in one group see something that is not recorded: a sign of the patient's state,
// weighed against everything else that may explain the group's decisions.
#pragma once

#include <string>

#include "interpole/learn/fit/fit.hpp"

namespace interpole::learn {

struct GroupSign {
  double right = 0.0;  // how often the sign points at the patient's state, of the highest evidence
  // log of the evidence with a sign, averaged over its strength, over the best without one: agent and world
  // are one, or differ. −∞: not weighed.
  double log_ratio = 0.0;
  std::string not_weighed;  // why not
};

// `own`: the group fitted by itself with two sets of dynamics.
GroupSign weigh_group_sign(const HistoryTree& tree, const FitSummary& own,
                           const optimize::LbfgsOptions& options);

}  // namespace interpole::learn
