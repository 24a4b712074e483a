// One explanation of the data: a decision-maker, and the world where it has dynamics of its own.
#pragma once

#include <optional>
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

}  // namespace interpole
