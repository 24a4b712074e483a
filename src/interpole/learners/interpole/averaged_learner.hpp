// INTERPOLE, coupled, asked as a whole posterior instead of as its best fit:
// learn/averaging/posterior_ensemble.hpp.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& averaged_learner();  // "interpole-averaged"

}  // namespace interpole::learners
