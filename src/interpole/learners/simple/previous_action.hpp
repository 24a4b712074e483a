// Who repeats himself is foreseen by his last action: the next action given the last one and nothing else, by
// smoothed counts. A learner that is hardly better has hardly found what decisions follow.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& previous_action_learner();

}  // namespace interpole::learners
