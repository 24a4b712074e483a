// R-BC (paper, C.2): behavioural cloning with memory. A recurrent network predicts the next action from the
// whole history. It believes nothing and explains nothing; it is the mark for predicting actions.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& r_bc_learner();

}  // namespace interpole::learners
