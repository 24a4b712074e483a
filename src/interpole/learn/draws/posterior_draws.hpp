// Draws from a fit's posterior: from the file `sample` wrote, or from the fit's own normal approximation.
// Their numbers have the digits that a page carries (draw_digits.hpp), so that page and program say the same.
#pragma once

#include <string>
#include <vector>

#include "interpole/fit.hpp"

namespace interpole::learn {

struct PosteriorDraws {
  std::vector<AgentWorld> draws;
  std::string source;  // for people
};

// `draws_file`: empty for the approximation. Throws an input error if there is neither.
PosteriorDraws posterior_draws(const FitResult& fit, const std::string& draws_file, std::uint64_t seed);

// The same; without draws if there is neither.
PosteriorDraws posterior_draws_if_any(const FitResult& fit, const std::string& draws_file,
                                      std::uint64_t seed);

}  // namespace interpole::learn
