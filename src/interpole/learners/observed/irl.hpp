// IRL (Table 1, after Choi 2011): what is seen is the state, the agent a planner who errs; the most probable
// rewards given the decisions.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& irl_learner();

}  // namespace interpole::learners
