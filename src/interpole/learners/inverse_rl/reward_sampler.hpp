// Draws from the posterior of rewards, and of dynamics where they are to be learned, by the no-U-turn
// sampler: chains begin around the highest of several peaks and walk in coordinates in which that peak is
// round.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpole/learners/inverse_rl/joint_target.hpp"
#include "interpole/learners/inverse_rl/reward_chains.hpp"
#include "interpole/optimize/normal_fit.hpp"

namespace interpole::learners {

// The highest of the peaks found from these starts (rewards; all begin with the same dynamics), in the
// coordinates of RewardPosterior. Throws an interrupted error if asked to stop.
optimize::NormalFit highest_peak(const std::string& learner, const JointTarget& target,
                                 const Dynamics& dynamics, const std::vector<std::vector<double>>& starts,
                                 const RewardChainOptions& options, Sink& sink);

// One row of numbers for a draw, in which the states have their names.
using DrawRow = std::function<std::vector<double>(const Dynamics& dynamics, std::span<const double> rewards)>;

// Throws an interrupted error if asked to stop.
std::vector<RewardChain> sample_rewards(const std::string& learner, const JointTarget& target,
                                        const optimize::NormalFit& peak, const RewardChainOptions& options,
                                        const DrawRow& row, Sink& sink);

}  // namespace interpole::learners
