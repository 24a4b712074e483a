// What a distorted picture costs: how decisions on the recorded histories would shift if the agent updated
// beliefs by the world's dynamics, and how much of that is more than chance.
//
// ½ Σ_a |π − π'| is never below zero, so draws of an agent and a world that are the same but for the noise of
// the posterior show a shift too. That shift is measured: the world of every draw is moved by the average
// difference between agent and world (in log-odds), so that what is left is noise around no difference. What
// a draw shifts beyond that, which may be less than nothing, is the excess.
#pragma once

#include <vector>

#include "interpole/bias_audit.hpp"

namespace interpole::explain {

// The worlds of the draws, each row times exp(mean log(agent/world)) and normalised: on average they are the
// agent. A row with a zero in one of the two and not in the other becomes the agent's.
std::vector<Dynamics> worlds_without_difference(const Structure& structure,
                                                const std::vector<AgentWorld>& draws);

// Over options.cost_draws of the draws, spread evenly.
BiasCost bias_cost(const Structure& structure, const HistoryTree& tree, const std::vector<AgentWorld>& draws,
                   const BiasOptions& options);

}  // namespace interpole::explain
