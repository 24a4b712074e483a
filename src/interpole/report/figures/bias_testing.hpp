// For tests: the BIAS problem (paper, C.1), whose boundaries are known to lie at 10% and 90%.
#pragma once

#include "interpole/parameters.hpp"

namespace interpole::testing {

inline Model bias_truth() {
  Model model;
  model.structure = Structure::unrestricted(
      {"healthy", "diseased"}, {"monitor", "declare-healthy", "declare-diseased"}, {"negative", "positive"});
  model.structure.make_terminal(1);
  model.structure.make_terminal(2);
  Dynamics& agent = model.agent.dynamics;
  agent.initial = {0.5, 0.5};
  agent.transition = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
  agent.observation = {0.6, 0.4, 0.2, 0.8, 0, 0, 0, 0, 0, 0, 0, 0};
  model.agent.policy = {10.0, {0.5, 0.5, 1.3, -0.3, -0.3, 1.3}};
  model.world = agent;
  model.world->observation = {0.6, 0.4, 0.4, 0.6, 0, 0, 0, 0, 0, 0, 0, 0};
  return model;
}

}  // namespace interpole::testing
