// How far agent and world are apart: σ by the marginal likelihood (Laplace evidence), and the evidence that
// they differ at all (docs/mathematics/coupling.md).
#pragma once

#include <functional>
#include <vector>

#include "interpole/learn/uncertainty/laplace.hpp"

namespace interpole::learn {

// The evidence along a grid of σ.
struct ScaleProfile {
  std::vector<double> sigma;
  std::vector<double> log_prior;     // of σ, as weights that sum to one
  std::vector<double> log_evidence;  // same length, unless the search was stopped
};

struct ScaleChoice {
  CouplingScales scales;             // of the highest evidence
  double log_evidence = 0.0;         // there
  double log_evidence_of_one = 0.0;  // of σ = 0: agent and world are one
  ScaleProfile common;               // the same σ for all kinds of rows
  struct OfKind {
    Field field = Field::kObservation;
    ScaleProfile profile;  // the other kinds at their best
  };
  std::vector<OfKind> kinds;  // those that have something to learn
  AgentWorld agent_world;     // at the mode of the chosen σ, density of coordinates
  int evaluations = 0;        // of the evidence

  // log of the evidence with one σ for all rows, averaged over its prior, over that of σ = 0. Above 0 the
  // data speak for a difference between agent and world, below 0 against one.
  double log_bayes_factor() const;
};

// `start`: from where modes are followed along σ. `one`: where a search with one set of dynamics ended, if
// there was one; σ = 0 is then looked at from there too.
ScaleChoice choose_scales(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                          const AgentWorld& start, const optimize::LbfgsOptions& options,
                          const std::function<bool()>& stop = {}, const Parameters* one = nullptr);

// How likely each σ of a profile is, given the data. Sums to one.
std::vector<double> posterior_of_scale(const ScaleProfile& profile);

// `count` scales that stand for the posterior of σ with equal weight: stratified quantiles of each kind's
// profile, shuffled against each other.
std::vector<CouplingScales> draw_scales(const ScaleChoice& choice, int count, base::RandomStream& random);

}  // namespace interpole::learn
