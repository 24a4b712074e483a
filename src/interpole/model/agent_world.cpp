#include "interpole/agent_world.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"

namespace interpole {

AgentWorld permute_states(const Structure& structure, const AgentWorld& agent_world,
                          const std::vector<int>& order) {
  AgentWorld result{permute_states(structure, agent_world.agent, order), {}};
  if (agent_world.world) result.world = permute_states(structure, *agent_world.world, order);
  return result;
}

DynamicsMode dynamics_mode_named(const std::string& name) {
  for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kCoupled, DynamicsMode::kSubjective}) {
    if (name == name_of(mode)) return mode;
  }
  throw usage_error(
      fmt::format("option dynamics: \"{}\" is not known; choose shared, coupled or subjective", name));
}

std::string name_of(DynamicsMode mode) {
  switch (mode) {
    case DynamicsMode::kShared:
      return "shared";
    case DynamicsMode::kCoupled:
      return "coupled";
    default:
      return "subjective";
  }
}

}  // namespace interpole
