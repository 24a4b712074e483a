// The two equations of the model, for one belief at a time: the belief update and the policy. This is the
// plain, readable form; inference/likelihood runs the same equations over whole data sets.
#pragma once

#include <span>
#include <vector>

#include "interpole/parameters.hpp"
#include "interpole/records.hpp"

namespace interpole {

// b'(s') = O(z|a,s') Σ_s b(s) T(s'|s,a) / c. Writes b' into `next` and returns c, the probability of the
// outcome (of a measured one its density, which never underflows to 0). kMissing: the update by T alone (c =
// 1 up to rounding). If c = 0 the outcome is impossible and `next` is all zero.
double update_belief(const Structure& structure, const Dynamics& dynamics, int action, int observation,
                     std::span<const double> belief, std::span<double> next);

// The same where visits have times: with the transition of the step's gap. No gap: no time passes.
double update_belief(const Structure& structure, const Dynamics& dynamics, Step step,
                     std::span<const double> belief, std::span<double> next);
// The same with this transition, [s·S + s'].
double update_belief(const Structure& structure, const Dynamics& dynamics, Step step,
                     std::span<const double> transition, std::span<const double> belief,
                     std::span<double> next);

// T_a(Δ) [s·S + s'] of a structure whose visits have times, Δ in their unit: exp(Q_a Δ), or whole steps.
std::vector<double> transition_over(const Structure& structure, const Dynamics& dynamics, int action,
                                    double gap);
// Of all actions, as the transitions of dynamics without times.
Dynamics dynamics_over(const Structure& structure, const Dynamics& dynamics, double gap);
// Q_a [s·S + s'] in 1/unit: rates at which states change; rows sum to zero.
std::vector<double> rates_of(const Structure& structure, const Dynamics& dynamics, int action);
// Writes what rates_of() reads. Rates of a row that are NaN leave it open (NaN), except for zeros.
void set_rates(const Structure& structure, int action, std::span<const double> rates, Dynamics& dynamics);

// The belief before the first decision about a record with these covariates (as DecisionContext has them).
void start_belief(const Dynamics& dynamics, std::span<const double> covariates, std::span<double> belief);
std::vector<double> start_belief(const Dynamics& dynamics, std::span<const double> covariates);

// What beside the belief a decision is made in.
struct DecisionContext {
  int last_action = -1;         // −1: this is the first decision
  int step = 0;                 // decisions before this one
  bool result_missing = false;  // the last action's result was not recorded
  // Of the record, in the order of PolicyTerms::covariates: the number, or the category's index. NaN: not
  // known, and so are those beyond the end.
  std::span<const double> covariates{};
  // How likely the decision-maker is to be of each kind, the commonest first, given the decisions before this
  // one (kinds_after_decision). Empty: by their shares.
  std::span<const double> kinds{};
};

// The context of the decision that follows these steps.
DecisionContext context_after(std::span<const Step> steps, std::span<const double> covariates = {});

// How likely each kind is after one more decision of the same decision-maker; in place.
void kinds_after_decision(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          const DecisionContext& context, int action, std::span<double> kinds);

// π(a|b) in a context, for every action: with all terms of the policy, averaged over kinds.
void action_probabilities(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          const DecisionContext& context, std::span<double> probabilities);
std::vector<double> action_probabilities(const Structure& structure, const Policy& policy,
                                         std::span<const double> belief, const DecisionContext& context);
void log_action_probabilities(const Structure& structure, const Policy& policy,
                              std::span<const double> belief, const DecisionContext& context,
                              std::span<double> logs);

// What follows is of belief alone and of the commonest kind, as if no term of the policy were there.

// log π(a|b) for every action. Finite even where π(a|b) is too small for a double.
void log_action_probabilities(const Structure& structure, const Policy& policy,
                              std::span<const double> belief, std::span<double> logs);

// π(a|b) ∝ exp(−η ‖b − μ_a‖²), for every action.
void action_probabilities(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          std::span<double> probabilities);
std::vector<double> action_probabilities(const Structure& structure, const Policy& policy,
                                         std::span<const double> belief);

}  // namespace interpole
