// INTERPOLE, coupled, asked as a whole posterior instead of as its best fit: learn/minds.hpp.
#pragma once

#include "interpole/baselines/learner.hpp"

namespace interpole {

const Learner& averaged_learner();  // "interpole-averaged"

}  // namespace interpole
