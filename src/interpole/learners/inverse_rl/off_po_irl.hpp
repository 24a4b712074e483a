// Off. PO-IRL (paper, C.2): the world and what the agent wants, learned together. One posterior over dynamics
// and rewards (joint_target.hpp), sampled from where PO-IRL begins.
//
// The paper's chain (joint_chain.hpp) proposes with equal chances new dynamics from the posterior given the
// observations, or new rewards by a step of 0.001; the acceptance corrects for the actions. Its estimate is
// the mean of the draws, plugged in. Ours goes over everything at once by trajectories (reward_sampler.hpp),
// reports the mean, and predicts by the average over draws (fitted_rewards.hpp).
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& off_po_irl_learner();

}  // namespace interpole::learners
