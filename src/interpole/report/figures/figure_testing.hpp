// For tests: a model to draw, and what a figure says.
#pragma once

#include <string>
#include <variant>

#include "interpole/parameters.hpp"
#include "interpole/report/drawing/drawing.hpp"

namespace interpole::testing {

// The BIAS problem (paper, C.1), whose boundaries are known to lie at 10% and 90%.
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

// Without markup, and as if there were no line breaks.
inline std::string all_text(const report::Drawing& drawing) {
  std::string text;
  for (const report::Element& element : drawing.elements()) {
    if (const auto* words = std::get_if<report::Words>(&element)) text += words->label.content + " ";
  }
  return text;
}

}  // namespace interpole::testing
