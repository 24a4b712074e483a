// How sure a fit is: a few normal distributions of the coordinates that together stand for the posterior. One
// for shared and subjective dynamics; for coupled ones several, each with its own σ, because σ is not known
// either. Where there are several explanations, each has as many of them as its evidence says.
#pragma once

#include <vector>

#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/learn/uncertainty/scale_search.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

struct UncertaintyComponent {
  CouplingScales scales;  // of coupled dynamics
  Laplace laplace;
};

struct Uncertainty {
  DynamicsMode dynamics = DynamicsMode::kShared;
  std::vector<UncertaintyComponent> components;  // of equal weight
  std::vector<WeakDirection> weak;               // of the first
  bool proper = true;                            // all of them
  // Misfit that model checks prove, as a noncentrality of χ² (docs/mathematics/misfit.md): draws are those of
  // the posterior whose likelihood counts 1/(1 + misfit), that much wider. 0: none is proven.
  double misfit = 0.0;
};

inline constexpr int kUncertaintyComponents = 8;

// Around the given explanations, the best first, states named alike. `choice` may be null: the scales are
// then those of `scales`, taken as known.
Uncertainty expand(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                   DynamicsMode dynamics, const std::vector<AgentWorld>& around, const CouplingScales& scales,
                   const ScaleChoice* choice, const optimize::LbfgsOptions& options, std::uint64_t seed,
                   Sink& sink = quiet_sink());

// Which of the explanations each of `count` components belongs to: as often as its weight says, the heaviest
// first. An explanation below half a component's weight has none.
std::vector<int> spread_over_modes(const std::vector<double>& log_evidence, int count);

// `count` draws; draw i comes from component i modulo their number. Needs no data.
std::vector<AgentWorld> draw_agent_worlds(const DecisionProblem& problem, const Uncertainty& uncertainty,
                                          int count, std::uint64_t seed);

}  // namespace interpole::learn
