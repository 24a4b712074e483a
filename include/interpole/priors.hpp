// Prior beliefs about the parameters, how latent states get their names, and what decisions may follow beside
// beliefs. All are stated in a study.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole {

struct Priors {
  // Dirichlet concentration of every probability; 1 everywhere is uniform. Of other parameters of measured
  // factors: the standard deviation of their normal prior, in units of the factor (model/measured).
  Dynamics concentration;
  double means_sd = 10.0;          // normal prior of every μ_a(s) around the centre of the simplex
  double temperature_shape = 2.0;  // gamma prior of η
  double temperature_rate = 0.2;
  // Of the policy's terms. Weights are normal around 0: τ of each additive term, 1 where none is stated.
  std::vector<double> term_scales{};
  // The same of the weights by which starting beliefs differ (Dynamics::start).
  std::vector<double> start_scales{};
  // Dirichlet concentration of what is left to belief, inertia and lapse.
  double belief_share = 3.0;
  double inertia_share = 1.0;
  double lapse_share = 1.0;
  // Of kinds of decision-makers: how far their means are from their average (standard deviation), and the
  // Dirichlet concentration of their shares.
  double kind_spread = 0.5;
  double kind_share = 2.0;
  // Of measured factors: where each parameter is expected, [(a·S + s')·columns + i]; NaN, or nothing at all:
  // at the factor's centre.
  std::vector<double> expected{};

  double term_scale(std::size_t term) const { return term < term_scales.size() ? term_scales[term] : 1.0; }
  double start_scale(std::size_t term) const { return term < start_scales.size() ? start_scales[term] : 1.0; }

  static Priors defaults(const Structure& structure) { return {Dynamics::filled(structure, 1.0)}; }
  bool operator==(const Priors&) const = default;
};

// What an action can yield.
struct Outcome {
  int action = 0;
  int observation = 0;
  bool operator==(const Outcome&) const = default;
};

// Latent states can be swapped without changing the likelihood. A hint says which is which: along `order`
// (state indices) these outcomes become likelier (their chances added up).
struct LabelHint {
  std::vector<Outcome> outcomes;
  std::string description;  // of the outcomes, for people: "positive" after "monitor"
  std::vector<int> order;
  bool operator==(const LabelHint&) const = default;
};

// What decisions may follow beside beliefs.
enum class PolicyUse {
  kBelief,  // no term: the paper's policy
  kAuto,    // those that the evidence asks for
  kFull,    // all there are
};
PolicyUse policy_use_named(const std::string& name);  // usage error naming the known ones
std::string name_of(PolicyUse use);

// The most kinds of decision-makers that the evidence is asked about unless a study says otherwise.
inline constexpr int kUsualKinds = 3;

// Which terms a policy gets beside belief (PolicyTerms). What is named nowhere is weighed by the evidence.
struct PolicyRequest {
  enum class Use { kByEvidence, kAlways, kNever };
  Use habit = Use::kByEvidence;
  Use lapse = Use::kByEvidence;
  Use time = Use::kByEvidence;
  Use missing = Use::kByEvidence;
  int period = 0;                    // of time: steps that are so far apart are alike; 0: none are
  std::vector<std::string> context;  // covariates, by name
  std::string group;                 // the covariate that says who decides, or where; empty: none
  std::optional<int> kinds;          // of decision-makers, at most; 1: all are alike. Nothing: kUsualKinds
  bool kinds_by_group = false;       // all records of a group are of one kind, instead of each by itself
  bool operator==(const PolicyRequest&) const = default;
};

// By which covariates of a record starting beliefs may differ (Dynamics::start).
struct StartRequest {
  std::vector<std::string> by;  // by name
  bool always = false;          // whatever the evidence says; otherwise those that it asks for
  bool operator==(const StartRequest&) const = default;
};

}  // namespace interpole
