// The floor that every learner must beat: the same chances at every history, by how often each action was
// taken.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& majority_learner();

}  // namespace interpole::learners
