// PO-MB-IL (paper, C.2): first the world, then the agent. Dynamics by Baum-Welch from observations alone,
// held; then the mean-vector policy on the beliefs they give. It assumes that the agent knows the world.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& po_mb_il_learner();

}  // namespace interpole::learners
