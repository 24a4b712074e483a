// Many fits instead of the best one: predictions averaged over what the data leave open about the agent,
// including whether agent and world differ at all (docs/mathematics/averaging.md).
#pragma once

#include <string>
#include <vector>

#include "interpole/learn/fit/fit.hpp"

namespace interpole::learn {

struct EnsembleOptions {
  int members = 500;  // to stand for all
  int draws = 1'000;  // of each way in which agent and world may be apart, from which members are chosen
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores. Changes how fast, never what
};

struct PosteriorEnsemble {
  std::vector<Parameters> members;  // of equal weight; the best fit alone if too few draws carried any weight
  double chance_of_one = 0.0;       // that agent and world are one, if both were as likely beforehand
  double effective = 0.0;           // draws of equal weight that all draws are worth
  bool averaged() const { return members.size() > 1; }
};

// Around a coupled fit that is not interrupted. Throws Error(kInterrupted) if asked to stop.
PosteriorEnsemble ensemble_around(const HistoryTree& tree, const DecisionProblem& problem,
                                  const FitSummary& fit, const EnsembleOptions& options, Sink& sink);

}  // namespace interpole::learn
