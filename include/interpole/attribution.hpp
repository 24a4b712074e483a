// What moved a belief: time passing (b → Tᵀb), then evidence (O), and of the evidence which factor how much.
//
// A factor's share is its Shapley value: what it adds to the factors seen before it, averaged over every
// order in which they could have been seen. No order is privileged, and the shares add up to the whole
// evidence exactly. A set of factors is judged by O summed over the outcomes that agree with what was seen of
// them. Cost O(2^K · Z · S) for K measured factors.
#pragma once

#include <span>
#include <vector>

#include "interpole/outcome_factors.hpp"
#include "interpole/records.hpp"

namespace interpole {

// Of every state: in probability, and in log-odds of the state against all others (natural logarithm).
// Log-odds are NaN where a belief of 0 or 1 before or after has none; whoever writes them says "none".
struct BeliefShift {
  std::vector<double> belief;
  std::vector<double> log_odds;
};

struct BeliefMove {
  std::vector<double> predicted;      // Tᵀb
  std::vector<double> after;          // the next belief
  double chance = 1.0;                // of the outcome, as the agent saw it; 1 if it is missing
  BeliefShift time, evidence, total;  // total = time + evidence
  struct OfFactor {
    int factor = 0;
    BeliefShift shift;
  };
  std::vector<OfFactor> factors;  // those measured; their sum is the evidence
};

// `chance` is 0 and everything but `predicted` empty if the outcome is impossible.
BeliefMove belief_move(const Structure& structure, const OutcomeFactors& factors, const Dynamics& dynamics,
                       std::span<const double> belief, Step step);

// The belief after an outcome of which some factors were not read: O summed over the outcomes that agree with
// it in the others that the action measures. All of them unread: time passing alone.
struct PartlyRead {
  std::vector<double> belief;  // empty if impossible
  double chance = 0.0;         // of what was read
};

PartlyRead partly_read(const Structure& structure, const OutcomeFactors& factors, const Dynamics& dynamics,
                       std::span<const double> belief, Step step, std::span<const int> unread);

// log b(s) − log Σ_{r≠s} b(r): ±∞ at the ends.
std::vector<double> log_odds(std::span<const double> belief);

}  // namespace interpole
