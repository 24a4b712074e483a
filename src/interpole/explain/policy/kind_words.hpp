// Kinds of decision-makers in words: how many are of each, and where each changes from one action to another.
#pragma once

#include <string>
#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/structure.hpp"

namespace interpole::explain {

// Empty where there is one kind. `draws`: of the posterior, at least one, with kinds in the order of
// `fitted`.
std::vector<std::string> kind_sentences(const Structure& structure, const Policy& fitted,
                                        const std::vector<AgentWorld>& draws, double level = 0.95);

// "the decision-maker is of kind 2 (87%)": of a record, given its decisions. Empty where there is one kind.
std::string likeliest_kind(const std::vector<double>& kinds);

}  // namespace interpole::explain
