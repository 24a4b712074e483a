// The numbers of a model, in their natural space, as flat arrays:
//
//   initial[s]                  b1(s)           belief before the first decision
//   transition[(a·S + s)·S + s']   T(s'|s,a)       a row (a,s) sums to one. Where visits have times and rates
//                                                 are learned: T(s'|s,a) / T(s|s,a) is the rate of s → s' in
//                                                 a typical gap (rates_of in belief.hpp)
//   observation[(a·S + s')·Z + z]  O(z|a,s')       a row (a,s') sums to one; zero for terminal actions
//   inverse_temperature         η
//   means[a·S + s]              μ_a(s)          sums to one over s, but is not confined to the simplex
//   terms                                       what decisions follow beside beliefs
//   other_kinds                                 η and μ of decision-makers who are not of the commonest kind
//   start                                       how b1 differs with covariates of a record
//
// The same structs hold gradients (∂/∂ each entry) and, with NaN for "not stated", known and starting values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole {

// The arrays by name.
enum class Field { kInitial, kTransition, kObservation, kMeans, kTemperature };

// What a covariate of records is to a model: one of several categories, or a number.
struct PolicyCovariate {
  std::string name;
  std::vector<std::string> categories;  // empty: a number
  double centre = 0.0;                  // a number x enters as (x − centre)/scale
  double scale = 1.0;
  bool operator==(const PolicyCovariate&) const = default;
};

// Starting beliefs that differ with a covariate: b1(s | x) ∝ b1(s) exp(Σ_k value_k w_k(level_k, s)), where
// the value is 1 but for covariates that are numbers. Weights sum to zero over states, and over categories
// too. A covariate that is not known says nothing (docs/mathematics/starting-beliefs.md).
struct StartTerm {
  int covariate = -1;           // its place among those of a record (PolicyTerms::covariates)
  PolicyCovariate of{};         // which one that is
  std::vector<double> weights;  // [level·S + s]
  bool operator==(const StartTerm&) const = default;
};

struct Dynamics {
  std::vector<double> initial;
  std::vector<double> transition;
  std::vector<double> observation;
  std::vector<StartTerm> start{};  // nothing: all records start with `initial`

  static Dynamics filled(const Structure& structure, double value);
  bool operator==(const Dynamics&) const = default;
};

// Rows that are the same whatever was done: T(s'|s,a) or O(z|a,s') for all actions that are not terminal.
struct Ties {
  bool transition = false;
  bool observation = false;
  bool any() const { return transition || observation; }
  bool operator==(const Ties&) const = default;
};

// What beside the belief a decision may follow.
enum class TermKind {
  kHabit,          // the last action
  kTime,           // how many decisions came before
  kResultMissing,  // the last action's result was not recorded
  kContext,        // a covariate of the record
  kGroup,          // who decides, or where
};

// Adds to the exponent of π(a|b): the weight of action a at the level the decision is at, times its value
// (1 but for covariates that are numbers). Weights sum to zero over actions; those of levels that exclude
// each other sum to zero over levels too, so that a term moves nothing on average.
struct PolicyTerm {
  TermKind kind = TermKind::kHabit;
  int covariate = -1;           // of kContext and kGroup: which one
  int period = 0;               // of kTime: steps that are so far apart share a level; 0: none do
  std::vector<double> weights;  // [level·A + a]
  bool operator==(const PolicyTerm&) const = default;
};

// π' = (1 − ρ − λ) π + ρ 1[a = last action] + λ/A, with the additive terms inside π
// (docs/mathematics/policy-terms.md).
struct PolicyTerms {
  double inertia = 0.0;  // ρ: the last action is repeated, whatever is believed
  double lapse = 0.0;    // λ: any action, whatever is believed
  std::vector<PolicyCovariate> covariates;
  std::vector<PolicyTerm> additive;

  bool none() const { return inertia == 0.0 && lapse == 0.0 && additive.empty(); }
  bool operator==(const PolicyTerms&) const = default;
};

// Decision-makers of one kind: how many are of it, and how they decide.
struct PolicyKind {
  double share = 0.0;
  double inverse_temperature = 0.0;
  std::vector<double> means;
  bool operator==(const PolicyKind&) const = default;
};

// η and the means are those of the commonest kind of decision-makers; usually there is no other. A record's
// decisions are all taken by one kind: their probability is Σ_k share_k Π_t π_k(a_t|b_t)
// (docs/mathematics/kinds.md). Terms are common to all kinds.
struct Policy {
  double inverse_temperature = 0.0;
  std::vector<double> means;
  PolicyTerms terms{};
  std::vector<PolicyKind> other_kinds{};
  // The covariate that names the decision-maker: all records with the same one are of the same kind. −1: each
  // record by itself.
  int decision_maker = -1;

  int kind_count() const { return 1 + static_cast<int>(other_kinds.size()); }
  std::vector<double> kind_shares() const;  // of all kinds, the commonest first
  // The policy of one kind alone; 0: the commonest.
  Policy of_kind(int kind) const;

  static Policy filled(const Structure& structure, double value);
  bool operator==(const Policy&) const = default;
};

struct Parameters {
  Dynamics dynamics;
  Policy policy;

  static Parameters filled(const Structure& structure, double value) {
    return {Dynamics::filled(structure, value), Policy::filled(structure, value)};
  }
  bool operator==(const Parameters&) const = default;
};

// A complete model of a decision-maker: `agent` is what is in their head. `world`, where known, is what the
// outcomes really followed.
struct Model {
  Structure structure;
  Parameters agent;
  std::optional<Dynamics> world;

  bool operator==(const Model&) const = default;
};

// Throw an input error naming `where`, the entry and its value unless every entry is finite, probabilities
// are ≥ 0, rows sum to one within 1e-8, masks hold and means sum to one. Rows off by more than the rounding
// of a sum are then divided by it. Messages read "where: transition[0][1]: …", of the world "where:
// world.transition[0][1]: …".
void validate_and_normalise(const Structure& structure, Dynamics& dynamics, const std::string& where);
void validate_and_normalise(const Structure& structure, Policy& policy, const std::string& where);
void validate_and_normalise(Model& model, const std::string& where);

// State s of the result is state order[s] of the input.
Structure permute_states(const Structure& structure, const std::vector<int>& order);
Dynamics permute_states(const Structure& structure, const Dynamics& dynamics, const std::vector<int>& order);
Policy permute_states(const Structure& structure, const Policy& policy, const std::vector<int>& order);
Parameters permute_states(const Structure& structure, const Parameters& parameters,
                          const std::vector<int>& order);
Model permute_states(const Model& model, const std::vector<int>& order);

}  // namespace interpole
