// With which beliefs records start, where that differs with their covariates: in words and with intervals.
#pragma once

#include <string>
#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/estimate.hpp"

namespace interpole::explain {

// The chance of a state that the decision-maker starts with, for one category of a covariate, or for a number
// at its average and one standard deviation above and below; all other covariates not being known.
struct StartingBelief {
  std::string covariate;
  std::string level;  // the category, or the number
  std::string state;
  Estimate belief;
};

// Of every term of the first draw, level and state.
std::vector<StartingBelief> starting_beliefs(const Structure& structure, const std::vector<AgentWorld>& draws,
                                             double level = 0.95);

// One sentence for each covariate, on the state that differs most:
// By sex, "ill" is believed at the start with 31% [28%, 34%] (f), 22% [19%, 25%] (m)
std::vector<std::string> start_sentences(const std::vector<StartingBelief>& beliefs);

}  // namespace interpole::explain
