// Second derivatives of the coupled log-posterior. Actions know the policy and the agent's dynamics,
// observations the world's, the prior no data: taken apart so, differences of gradients cost about half of
// what those of the whole would, and the agent's coordinates are linear in the coupled ones.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpole/inference/likelihood.hpp"
#include "interpole/learn/posterior/coupled_space.hpp"

namespace interpole::learn {

// Of the log-likelihood alone, n × n in the coordinates of `space`, at y. Not finite if asked to stop.
std::vector<double> coupled_likelihood_curvature(const inference::Likelihood& likelihood,
                                                 const CoupledSpace& space, std::span<const double> y,
                                                 const std::function<bool()>& stop = {});

}  // namespace interpole::learn
