// The bias audit: the agent's picture of the world beside the world, number by number, with intervals, the
// chance that they differ by more than a margin that matters, and what it would change if the agent knew
// better (docs/mathematics/bias-audit.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/estimate.hpp"
#include "interpole/fit.hpp"
#include "interpole/model_checks.hpp"

namespace interpole {

struct BiasOptions {
  double margin = 0.05;             // a difference in probability that matters
  double level = 0.95;              // of intervals
  double false_discoveries = 0.05;  // within the margin, expected among the flagged
  int cost_draws = 200;             // posterior draws for what it would change
  void validate() const;            // throws a usage error
};

// One probability, in the agent's head and in the world; or one parameter of a measured factor, in its own
// unit.
struct BiasFinding {
  Field field = Field::kObservation;
  int action = 0;                         // none for the initial belief
  int state = 0;                          // from which, or in which
  int outcome = 0;                        // the state reached, the result seen
  std::string name;                       // observation[monitor,diseased,negative]
  Estimate agent, world, difference;      // difference: agent − world
  double exceeds = 0.0;                   // posterior probability of |difference| > margin
  std::optional<double> row_probability;  // that the agent's row is not the world's, where it was asked
  // Stands out: it differs, and is in the set whose expected share of false discoveries is held.
  bool flagged = false;
  // If flagged: how often a sign that those who decide see and the table does not hold would have to be right
  // to explain as much. Nothing: no sign would, or none was weighed (AgentWorldComparison::checks.sign).
  std::optional<double> removable_by;
  bool measured = false;  // not a probability; the margin is then in spreads of the factor

  // The interval of the difference leaves zero out.
  bool differs() const { return difference.low > 0.0 || difference.high < 0.0; }
};

// How decisions on the recorded histories would shift if the agent updated beliefs by the world's dynamics.
struct BiasCost {
  Estimate changed;       // share of decisions that would have to change: ½ Σ_a |π − π'|, averaged
  Estimate other_choice;  // share of decisions whose most likely action would be another
  Estimate by_chance;     // `changed` if agent and world were the same but for the noise of the posterior
  // `changed` and `other_choice` beyond chance, draw by draw: around zero where there is nothing to gain.
  Estimate excess, other_choice_excess;
  struct OfAction {
    Estimate now, then;  // how often the policy takes the action
  };
  std::vector<OfAction> actions;
};

struct BiasAudit {
  std::vector<BiasFinding> findings;  // every number that is learned; of two that sum to one, the smaller
  int draws = 0;
  std::optional<BiasCost> cost;  // with data; in a comparison, where the verdict is a difference
};

// Compares what was learned: the rows in which draws vary, or agent and world differ. Draws without a world
// are refused (runtime error).
BiasAudit audit_bias(const Structure& structure, const std::vector<AgentWorld>& draws,
                     const HistoryTree* tree, const BiasOptions& options);

enum class BiasVerdict {
  kDifference,  // the records speak for a difference between agent and world
  kNone,        // … against one
  kUndecided,   // … for neither
  kWithheld,    // the model is not one to believe, whatever it says
};
std::string name_of(BiasVerdict verdict);  // difference, none, undecided, withheld

// The audit with what it means in words: the verdict, the most telling differences, what they cost. Numbers
// are flagged only where the verdict is a difference.
struct AgentWorldComparison {
  BiasAudit audit;
  BiasVerdict verdict = BiasVerdict::kUndecided;
  std::vector<std::string> reasons;  // why it is withheld or undecided
  // Of a difference, tempered by the misfit that the checks prove (docs/mathematics/misfit.md); nothing: it
  // was not tested.
  std::optional<double> log_odds;
  ModelChecks checks;  // of the model; those that failed are among the reasons
  // Of a difference: how often an unrecorded sign would have to be right to explain the records as well.
  std::optional<double> removable_by;
  std::vector<std::string> sentences;
};

// `draws`: of this fit's posterior. `tree`: without one, costs are not computed and the model is not checked.
// `checks`: of the fit, if they were made already.
AgentWorldComparison compare_agent_and_world(const FitResult& fit, const std::vector<AgentWorld>& draws,
                                             const HistoryTree* tree, const BiasOptions& options,
                                             const ModelChecks* checks = nullptr);
// By the fit's own uncertainty. Throws an input error if it has no world beside its agent, or no uncertainty.
AgentWorldComparison compare_agent_and_world(const FitResult& fit, std::span<const Record> records,
                                             const BiasOptions& options = {}, std::uint64_t seed = 1);

}  // namespace interpole
