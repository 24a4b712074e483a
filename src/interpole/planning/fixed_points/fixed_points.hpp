// A fast plan for many similar problems: values are backed up at a fixed set of beliefs, so there are never
// more vectors than beliefs, and the same beliefs give a value that changes without jumps as dynamics and
// rewards do. Never above the optimum; how far below is not bounded here (point_based.hpp bounds it, at a
// price).
//
// Cost of a stage: O(A·Z·n·S·points) for n ≤ points vectors (point_stages.hpp).
#pragma once

#include <memory>
#include <span>

#include "interpole/planning/fixed_points/q_table.hpp"
#include "interpole/planning/value_function.hpp"

namespace interpole::planning {

// With a horizon of at least one stage.
ValueFunction solve_at_points(std::shared_ptr<const Pomdp> pomdp, int horizon, const BeliefTable& points);

// At most `count` beliefs that leave no other far away: the corners and the centre, then always the farthest
// from those chosen, among the candidates ([i·S + s]) and a regular grid. Without random numbers.
BeliefTable belief_grid(std::span<const double> candidates, int states, std::size_t count);

}  // namespace interpole::planning
