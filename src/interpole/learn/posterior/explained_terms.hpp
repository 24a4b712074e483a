// What a kind of dynamics has to explain.
#pragma once

#include "interpole/agent_world.hpp"
#include "interpole/inference/likelihood.hpp"

namespace interpole::learn {

// What the agent's dynamics have to explain.
inline inference::LikelihoodTerms terms_of(DynamicsMode mode) {
  return {.actions = true, .observations = mode == DynamicsMode::kShared};
}

}  // namespace interpole::learn
