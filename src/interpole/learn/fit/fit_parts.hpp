// The parts of a fit that take long, and their text in a checkpoint: exact, so that a fit that goes on from
// there ends with the same bits.
#pragma once

#include <optional>
#include <string>

#include "interpole/learn/uncertainty/scale_search.hpp"

namespace interpole::learn {

struct RestartSummary {
  optimize::OptimizeSummary optimize;
  double log_posterior = 0.0;  // exact, whatever the optimiser watched
};

// One search from one start.
struct Attempt {
  bool ran = false;
  AgentWorld agent_world;
  RestartSummary summary;
  double height = 0.0;  // of the density that was climbed
  std::optional<int> impossible_node;
};

std::string attempt_to_text(const Attempt& attempt, const DecisionProblem& problem);
std::string scale_choice_to_text(const ScaleChoice& choice, const DecisionProblem& problem);

// Throw an input error that begins with `place` if the text is not one of this problem, or says what no fit
// can have found: lengths, finiteness and ranges are checked. `nodes`: of the history tree.
Attempt attempt_from_text(const std::string& text, const DecisionProblem& problem, int nodes,
                          const std::string& place);
ScaleChoice scale_choice_from_text(const std::string& text, const DecisionProblem& problem,
                                   const std::string& place);

}  // namespace interpole::learn
