// GAIL (Table 1), offline and exact: what is seen is the state; the policy whose occupancies under the
// learned moves no discriminator can tell from those recorded.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& gail_learner();

}  // namespace interpole::learners
