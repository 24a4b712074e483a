// Restarts may end in different places. Here they are sorted into distinct explanations.
#pragma once

#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

// How differently two models explain the same data: averages over decisions, all between 0 and 1.
struct ExplanationDistance {
  double belief = 0.0;  // ½ Σ_s |b − b'|
  double policy = 0.0;  // ½ Σ_a |π − π'|
  double world = 0.0;   // ½ Σ_s |b − b'| of beliefs by the world's dynamics
};

struct Candidate {
  double log_posterior = 0.0;
  AgentWorld agent_world;
};

struct Mode {
  double log_posterior = 0.0;
  std::vector<int> members;       // candidates that ended here
  ExplanationDistance from_best;  // after the relabelling that brings it closest
};

// Modes from best to worst. Two candidates share a mode if their log-posteriors and, after relabelling, their
// explanations agree to what a user could notice (0.01 nats; 1% in beliefs, of agent and world, and
// policies).
std::vector<Mode> sort_into_modes(const HistoryTree& tree, const DecisionProblem& problem,
                                  const std::vector<Candidate>& candidates);

}  // namespace interpole::learn
