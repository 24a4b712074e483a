// Checks of what earlier surprises tell. A decision is a surprise as far as it differs from what the model
// expected. If the model is right, a surprise says nothing about later decisions, unless decision-makers
// differ or see something that the table does not hold.
#pragma once

#include "interpole/explain/checks/decision_families.hpp"

namespace interpole::explain {

// Whether decisions of a record lean the same way: all earlier surprises ("records"), the last one
// ("surprises").
std::vector<CheckFamily> surprise_families(const CheckedData& data);

}  // namespace interpole::explain
