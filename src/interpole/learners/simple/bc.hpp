// Behavioural cloning without memory: the next action given the last action and what it yielded, by smoothed
// counts. What a learner with beliefs must beat to show that histories matter.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& bc_learner();

}  // namespace interpole::learners
