// One record explained, decision by decision: what was believed before it, what a decision-maker with this
// belief would do, what was done and how surprising that is, how near another choice was, and what moved the
// belief to the next one (attribution.hpp).
//
// Everything about a decision follows from what came before it and its own outcome: later visits change
// nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interpole/attribution.hpp"
#include "interpole/belief.hpp"
#include "interpole/boundary.hpp"
#include "interpole/parameters.hpp"

namespace interpole {

struct DecisionExplanation {
  Step step;
  std::vector<double> belief;     // before the decision
  std::vector<double> policy;     // π(a|belief), in its context
  std::vector<double> by_belief;  // what belief alone would do; empty if the policy follows nothing else
  std::vector<double> kinds{};    // how likely each kind of decision-maker is before it; empty: there is one
  int region = 0;                 // the most likely action
  double probability = 0.0;       // of the action taken
  double surprise = 0.0;          // −log2 of it: bits
  double tail = 0.0;              // the probability of all actions at most as likely as the one taken
  std::optional<NearestBoundary> boundary;
  std::optional<BeliefMove> move;  // none after a terminal action
};

// The mind of one decision-maker, ready to be asked about one decision after another.
class DecisionExplainer {
 public:
  // Keeps references.
  DecisionExplainer(const Structure& structure, const OutcomeFactors& factors, const Parameters& agent)
      : structure_(structure), factors_(factors), agent_(agent) {}

  // `belief`: before the decision. An impossible outcome leaves move->chance at 0.
  DecisionExplanation explain(std::span<const double> belief, Step step,
                              const DecisionContext& context = {}) const;

 private:
  const Structure& structure_;
  const OutcomeFactors& factors_;
  const Parameters& agent_;
};

struct RecordExplanation {
  std::vector<DecisionExplanation> decisions;
  std::vector<double> kinds{};  // how likely each kind of decision-maker is, given all these decisions
  std::optional<std::size_t>
      impossible;  // the step whose outcome the model calls impossible: the last one here
};

RecordExplanation explain_record(const Structure& structure, const OutcomeFactors& factors,
                                 const Parameters& agent, std::span<const Step> record,
                                 std::span<const double> covariates = {});

}  // namespace interpole
