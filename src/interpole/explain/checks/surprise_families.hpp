// Checks of what earlier surprises tell. A decision is a surprise as far as it differs from what the model
// expected. If the model is right, a surprise says nothing about later decisions (unless decision-makers
// differ) nor about later results (unless they saw something that the table does not hold).
#pragma once

#include "interpole/explain/checks/decision_families.hpp"

namespace interpole::explain {

// Whether decisions of a record lean the same way: all earlier surprises ("records"), the last one
// ("surprises").
std::vector<CheckFamily> surprise_families(const CheckedData& data);

// Whether results follow surprising decisions. `world`: the beliefs and predictions of the dynamics that
// explain results.
CheckFamily hidden_information(const CheckedData& data, const ResultSites& results,
                               const std::vector<double>& predictions, const Dynamics& world,
                               const inference::NodeBeliefs& world_beliefs);

}  // namespace interpole::explain
