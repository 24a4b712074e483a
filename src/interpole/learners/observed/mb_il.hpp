// MB-IL (Table 1, after Englert 2013): what is seen is the state; the policy whose predicted visits, step by
// step under the learned moves, are closest to those recorded.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& mb_il_learner();

}  // namespace interpole::learners
