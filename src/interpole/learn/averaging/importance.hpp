// Draws of a posterior by importance sampling: from Student's t around a mode, each weighted by how much
// denser the posterior is there than the t. Corrects what a normal distribution gets wrong about a skewed
// posterior, for the price of one evaluation a draw; in many dimensions few draws carry all the weight, and
// `effective` says so.
#pragma once

#include <vector>

#include "interpole/learn/uncertainty/laplace.hpp"

namespace interpole::learn {

struct WeightedDraws {
  std::vector<AgentWorld> agent_worlds;
  std::vector<double> weights;  // sum to one
  double log_evidence = 0.0;    // log ∫ exp(log-posterior)
  double effective = 0.0;       // so many draws of equal weight are worth as much
};

// `around`: an expansion of this posterior, of which nothing was held. Without draws if it is not one of a
// maximum.
WeightedDraws importance_draws(Posterior& posterior, const Laplace& around, int count,
                               base::RandomStream& random);

}  // namespace interpole::learn
