// A soft decision tree with memory (soft_tree.hpp), after POETREE (Pace, Chan, van der Schaar 2022): predicts
// as a recurrent network does and can be read as a tree.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& recurrent_tree_learner();

}  // namespace interpole::learners
