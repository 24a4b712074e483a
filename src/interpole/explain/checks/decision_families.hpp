// Checks of how often actions are chosen where the model has no reason of its own to be right: by step, last
// action and result, run, covariate, region of belief, and from the first record to the last.
#pragma once

#include <vector>

#include "interpole/explain/checks/check_family.hpp"

namespace interpole::explain {

inline constexpr const char* kOrderOfRecords = "order";

// What all checks of a fit look at.
struct CheckedData {
  const HistoryTree& tree;
  const Structure& structure;
  // [class's covariates]: what each is, in the order of the tree's classes.
  const std::vector<PolicyCovariate>& covariates;
  const DecisionSites& decisions;
  const std::vector<double>& policies;    // [decision site·A + a]
  const inference::NodeBeliefs& beliefs;  // the agent's
};

std::vector<CheckFamily> decision_families(const CheckedData& data);

// The direction in which beliefs spread most, weighted by decisions: of two states, from the first to the
// second. Its last large entry is positive.
Eigen::VectorXd leading_direction(const DecisionSites& sites, const inference::NodeBeliefs& beliefs);
double along(const Eigen::VectorXd& direction, std::span<const double> belief);

}  // namespace interpole::explain
