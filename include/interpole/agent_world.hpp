// One explanation of the data: a decision-maker, and the world where it has dynamics of its own; and which of
// the two answer for what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole {

struct AgentWorld {
  Parameters agent;
  std::optional<Dynamics> world;
  bool operator==(const AgentWorld&) const = default;
};

// State s of the result is state order[s] of the input.
AgentWorld permute_states(const Structure& structure, const AgentWorld& agent_world,
                          const std::vector<int>& order);

// Which dynamics answer for what:
//
//   shared      one set of dynamics explains both actions and observations (the paper)
//   coupled     the world's dynamics explain the observations, the agent's the actions; the two are tied
//   subjective  the agent's dynamics explain the actions; observations are not explained
enum class DynamicsMode { kShared, kCoupled, kSubjective };

DynamicsMode dynamics_mode_named(const std::string& name);  // usage error naming the known ones
std::string name_of(DynamicsMode mode);

}  // namespace interpole
