// One record explained visit by visit: the decision in a sentence, what could have happened instead, and how
// sure it is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/counterfactual.hpp"
#include "interpole/estimate.hpp"
#include "interpole/fit.hpp"
#include "interpole/trajectory.hpp"

namespace interpole {

struct VisitExplanation {
  std::string visit;  // as the table calls it, or its step
  std::string sentence;
  DecisionExplanation decision;
  std::vector<ActionBranches> counterfactuals;
  std::vector<FactorBranch> without_factor;  // where the outcome has several
  // Over posterior draws; empty without them.
  std::vector<Estimate> belief;
  std::optional<Estimate> probability;  // of the action taken
  std::vector<Estimate> policy{};       // of every action
};

struct VisitExplanations {
  std::vector<VisitExplanation> visits;  // numbered from 1
  std::vector<double> kinds{};  // how likely each kind of decision-maker is, given all; empty: there is one
  // The step whose outcome the model calls impossible: nothing is explained then.
  std::optional<std::size_t> impossible;
};

// `draws`: of the model's posterior; empty: no intervals. `level`: of intervals. `covariates`: of the record,
// as DecisionContext has them.
VisitExplanations explain_visits(const Model& model, const OutcomeFactors& factors,
                                 std::span<const Step> record, const std::vector<AgentWorld>& draws,
                                 double level = 0.95, std::span<const double> covariates = {});

// With the fit's own uncertainty, if it has any. Throws an input error if the record does not fit the model,
// or an outcome is impossible.
std::vector<VisitExplanation> explain_visits(const FitResult& fit, const Record& record, double level = 0.95,
                                             std::uint64_t seed = 1);

}  // namespace interpole
