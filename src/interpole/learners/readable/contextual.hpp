// A linear policy of the last visit per context (contextual_network.hpp), after CPR (Deuschel et al. 2024):
// predicts as a recurrent network does; at every visit its coefficients can be read.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& contextual_learner();

}  // namespace interpole::learners
