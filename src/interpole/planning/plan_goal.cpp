#include "interpole/planning/plan_goal.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/error.hpp"

namespace interpole::planning {

void require_plannable(const Pomdp& pomdp, std::optional<int> horizon, double epsilon) {
  if (horizon && *horizon < 0) {
    throw usage_error(fmt::format("a horizon of {} stages; it must not be negative", *horizon));
  }
  if (!horizon && pomdp.discount >= 1.0) {
    throw usage_error(
        "a discount of 1 without a horizon has no finite value; give a horizon or discount more");
  }
  if (!(epsilon > 0.0) || !std::isfinite(epsilon)) {
    throw usage_error(fmt::format("epsilon is {}; it must be a number above 0", epsilon));
  }
}

}  // namespace interpole::planning
