// Modes of a coupled posterior and their evidence, followed from one hypothesis about agent and world to the
// next (docs/mathematics/coupling.md).
//
// The data do not know how far apart agent and world may be: hypotheses differ in the prior of the gaps
// alone. One expansion of the log-likelihood (a value, a gradient and second derivatives: about n passes over
// the data) therefore serves every hypothesis whose mode is near; what changes is arithmetic without data.
#pragma once

#include <cmath>
#include <vector>

#include "interpole/learn/posterior/coupled_posterior.hpp"
#include "interpole/optimize/lbfgs.hpp"

namespace interpole::learn {

// The top of log-prior plus expanded log-likelihood.
struct NearbyMode {
  std::vector<double> y;
  double log_density = 0.0;
  double log_evidence = 0.0;  // by Laplace
  double gain = 0.0;          // of the log-density, from where the likelihood was expanded
  std::vector<double> bend;   // −∇² of the log-density, n × n
  bool proper = false;        // false: no maximum there, nothing above means anything
};

// `expansion`: of the likelihood, at any coupling. The posterior must be one of coordinates.
NearbyMode mode_nearby(CoupledPosterior& posterior, const LikelihoodExpansion& expansion);

// A hypothesis weighed exactly: its mode, and the likelihood expanded there.
struct CoupledMode {
  CouplingScales scales;
  AgentWorld at;
  LikelihoodExpansion expansion;
  NearbyMode mode;

  double log_evidence() const { return mode.log_evidence; }
};

class ModeFollower {
 public:
  // Keeps references to all.
  ModeFollower(const inference::Likelihood& likelihood, const DecisionProblem& problem,
               const optimize::LbfgsOptions& options)
      : likelihood_(likelihood), problem_(problem), options_(options) {}

  // By a search that begins there.
  CoupledMode search(const CouplingScales& scales, const AgentWorld& start);
  // From the mode of another hypothesis: Newton's steps on its expansion, a short climb on the density from
  // there, expanded anew where that ends; by a search where that fails.
  CoupledMode follow(const CouplingScales& scales, const CoupledMode& from);
  // The same where the expansion reaches as far, without expanding anew: the density at the mode that it
  // foresees is looked up; if it is another, it is climbed, and if that leads far, the mode is followed.
  // Where the evidence is below `floor` after a climb, nobody asks by how much, and that is left out.
  NearbyMode nearby(const CouplingScales& scales, const CoupledMode& from, double floor = -INFINITY);

  int expansions() const { return expansions_; }

 private:
  CoupledMode searched(CoupledPosterior& posterior, const CouplingScales& scales, std::vector<double> y);

  const inference::Likelihood& likelihood_;
  const DecisionProblem& problem_;
  const optimize::LbfgsOptions& options_;
  TiltNormalisers normalisers_;
  int expansions_ = 0;
};

}  // namespace interpole::learn
