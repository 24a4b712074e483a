// Plans where exact values are too expensive: a lower bound (alpha-vectors backed up at single beliefs, as in
// point-based value iteration) and an upper bound (upper_bound.hpp) drawn together by heuristic search, as in
// HSVI. Every trial follows the most promising action and the outcome that leaves most doubt, and improves
// both bounds on its way back. What is reported holds whenever it stops: the optimum lies between the bounds.
//
// With a horizon there are bounds for every number of stages to go. Nothing is drawn at random: the same
// problem gives the same result.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "interpole/planning/plan_stop.hpp"
#include "interpole/planning/value_function.hpp"
#include "interpole/sink.hpp"

namespace interpole::planning {

struct PointBasedOptions {
  std::optional<int> horizon;  // none: without end, which needs a discount below 1
  double epsilon = 1e-3;       // the gap to reach at the start belief and at `targets`, in units of reward
  int most_trials = 2'000;
  std::vector<std::vector<double>> targets;  // beliefs whose values matter besides the start
  // A lower bound found before for the same states, dynamics and discount. Rewards may have changed: it is
  // lowered by what that can cost. Without a horizon only.
  std::optional<ValueFunction> start;

  void validate(const Pomdp& pomdp) const;  // throws a usage error
};

struct PointBasedSummary {
  ValueFunction value;  // the lower bound: what its actions earn, at least
  PlanStop stop = PlanStop::kConverged;
  bool converged = false;
  int trials = 0;
  double lower = 0.0;  // at the start belief
  double upper = 0.0;
  double target_gap = 0.0;           // the largest over start and targets
  double largest_gap = 0.0;          // over every belief visited
  std::size_t points = 0;            // beliefs that hold up the upper bound
  std::vector<double> target_upper;  // upper bounds at `targets`
};

PointBasedSummary solve_point_based(const std::shared_ptr<const Pomdp>& pomdp,
                                    const PointBasedOptions& options, Sink& sink = quiet_sink());

}  // namespace interpole::planning
