// Off. PO-IRL (paper, C.2): the world and what the agent wants, learned together. One posterior over dynamics
// and rewards (joint_chain.hpp gives the target), sampled from where PO-IRL begins.
//
// The paper's chain proposes with equal chances new dynamics from the posterior given the observations, or
// new rewards by a step of 0.001; the acceptance corrects for the actions. Ours takes such draws of the
// dynamics in one of four steps, and in the others walks in all coordinates at once by steps that adapt.
// The estimate is the mean of the draws, dynamics and rewards, as the paper forms it.
#pragma once

#include "interpole/baselines/learner.hpp"

namespace interpole {

const Learner& off_po_irl_learner();

}  // namespace interpole
