// What chains over dynamics φ and rewards r draw from, the posterior of both given all records:
//
//   p(φ, r | D) ∝ Dirichlet(φ) Normal(r) Π_t c_t(φ) Π_t π_{φ,r}(a_t | b_t(φ))
//                                        observations  actions
#pragma once

#include "interpole/learners/inverse_rl/reward_agent.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/priors.hpp"

namespace interpole::learners {

struct JointTarget {
  const HistoryTree& tree;
  const RewardAgent& agent;
  const model::DynamicsSpace& space;  // what of the dynamics is to be learned; may be nothing
  const Priors& priors;
  double reward_sd = 1.0;  // of every reward beforehand, normal around zero
};

}  // namespace interpole::learners
