// Draws from a model's posterior: from the file `sample` wrote, or from the normal approximation that `fit`
// left in the model file.
#pragma once

#include <string>
#include <vector>

#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

inline constexpr int kDefaultDraws = 2000;

struct PosteriorDraws {
  std::vector<AgentWorld> draws;
  std::string source;  // for people
};

// Throws an input error if there is neither.
PosteriorDraws posterior_draws(const std::string& model_file, const Structure& structure,
                               const std::string& draws_file, std::uint64_t seed);

}  // namespace interpole::learn
