// What every solver is asked for: how far ahead, and how closely. Internal to this room.
#pragma once

#include <optional>

#include "interpole/planning/pomdp.hpp"

namespace interpole::planning {

// Throws a usage error if the horizon is negative, the accuracy is none, or values without end are not
// finite.
void require_plannable(const Pomdp& pomdp, std::optional<int> horizon, double epsilon);

}  // namespace interpole::planning
