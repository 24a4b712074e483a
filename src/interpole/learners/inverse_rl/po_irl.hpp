// PO-IRL (paper, C.2): first the world, then what the agent wants. Dynamics by Baum-Welch from observations
// alone, held; then Bayesian inverse reinforcement learning of the rewards on the beliefs they give.
//
//   p(r | D) ∝ Normal(r; 0, sd²) Π_t π_r(a_t | b_t),   π_r(a|b) ∝ exp(β q*_r(b,a))
//
// sampled by trajectories along its gradient (reward_sampler.hpp), or by the paper's random walk. The mean
// reward is reported, as the paper forms it. Predictions are averages over draws; those of the paper's chain
// are by the mean reward.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& po_irl_learner();

}  // namespace interpole::learners
