// Posterior draws as a sampler leaves them: chain by chain, with what the sampler says of each.
#pragma once

#include <vector>

#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

struct SampledDraw {
  AgentWorld agent_world;
  CouplingScales scales;       // of coupled dynamics, where they are sampled
  double log_posterior = 0.0;  // density of the coordinates, up to a constant
  double energy = 0.0;
  double accept_stat = 0.0;
  double step_size = 0.0;
  int tree_depth = 0;
  int leapfrogs = 0;
  bool divergent = false;
};

struct SampledChain {
  std::vector<SampledDraw> draws;  // without those of warm-up
  bool relabelled = false;         // as a whole
  int relabelled_draws = 0;        // one by one, after that
  double warm_up_seconds = 0.0;    // of this run; a resumed one does not count what came before
  double sampling_seconds = 0.0;
};

}  // namespace interpole::learn
