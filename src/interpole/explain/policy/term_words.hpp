// What decisions follow beside beliefs, in words and with intervals.
#pragma once

#include <string>
#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/estimate.hpp"

namespace interpole::explain {

// One effect of a term: how an action's odds change at a level of it, or a share of decisions.
struct TermEffect {
  std::string term;    // habit, time, inertia, age, …
  std::string level;   // after test, step 3, unit = MICU; empty for shares
  std::string action;  // empty for shares
  Estimate size;       // factor on the odds of that action against the others, or the share
  std::string sentence;
};

// All effects of a model's terms; of two actions the second alone, whose odds say it all. `draws`: of the
// posterior, at least one; all have the terms of the first.
std::vector<TermEffect> term_effects(const Structure& structure, const std::vector<AgentWorld>& draws,
                                     double level = 0.95);

// The sentences worth reading: shares, and of each other term the effect that is surest not to be one, at
// most `most` for a term.
std::vector<std::string> term_sentences(const std::vector<TermEffect>& effects, int most = 2);

}  // namespace interpole::explain
