// How far agent and world are apart: σ by the marginal likelihood (Laplace evidence), and the evidence that
// they differ at all, in every row or in some (docs/mathematics/coupling.md).
#pragma once

#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/learn/uncertainty/row_search.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

// The evidence along a grid of σ.
struct ScaleProfile {
  std::vector<double> sigma;
  std::vector<double> log_prior;     // of σ, as weights that sum to one
  std::vector<double> log_evidence;  // same length, unless the search was stopped
};

struct ScaleChoice {
  CouplingScales scales;      // of the highest evidence; by rows if some rows are the better explanation
  double log_evidence = 0.0;  // there
  double log_evidence_of_one = 0.0;  // of σ = 0: agent and world are one
  ScaleProfile common;               // the same σ for all kinds of rows
  struct OfKind {
    Field field = Field::kObservation;
    ScaleProfile profile;  // the other kinds at their best
  };
  std::vector<OfKind> kinds;          // those that have something to learn
  std::vector<RowHypothesis> sparse;  // some rows differ; none if there is but one row
  AgentWorld agent_world;             // at the mode of the chosen σ, density of coordinates
  int evaluations = 0;                // of the evidence, with a look at the data

  // log of the evidence that agent and world differ: in all rows, with one σ averaged over its prior, or in
  // some; half the prior each.
  double log_evidence_of_two() const;
  // … over that of σ = 0. Above 0 the data speak for a difference between agent and world, below 0 against
  // one.
  double log_bayes_factor() const;
  // The chance that all rows differ rather than some, given that there is a difference.
  double chance_of_dense() const;
  // Row by row (CoupledSpace::links) the chance that the agent's is not the world's; empty without
  // hypotheses about rows. Agent and world are one or differ with the same prior odds.
  std::vector<double> row_probabilities() const;
  // Row by row the log of the evidence with that row wrong over that with it right, the likeliest rows being
  // wrong beside it. No price for having asked of so many rows.
  std::vector<double> row_log_ratios() const;
};

// `start`: from where modes are followed along σ. `one`: where a search with one set of dynamics ended, if
// there was one; σ = 0 is then looked at from there too. Asked to stop, it returns the best so far.
ScaleChoice choose_scales(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                          const AgentWorld& start, const optimize::LbfgsOptions& options,
                          Sink& sink = quiet_sink(), const Parameters* one = nullptr);

// How likely each σ of a profile is, given the data. Sums to one.
std::vector<double> posterior_of_scale(const ScaleProfile& profile);

// How likely each hypothesis about rows is, given that some differ. Sums to one.
std::vector<double> chances_of_rows(const ScaleChoice& choice);

// `count` scales that stand for the posterior of σ with equal weight, given that there is a difference:
// stratified quantiles of each kind's profile, shuffled against each other. In as many of them as the chance
// says that some rows differ rather than all, those rows have the σ of their own if it is larger: the
// hypotheses, the likeliest first, and beside them every row as often as its own evidence says at even odds,
// so that an interval shows how far off a row may be of which the data say little.
std::vector<CouplingScales> draw_scales(const ScaleChoice& choice, const DecisionProblem& problem, int count,
                                        base::RandomStream& random);

}  // namespace interpole::learn
