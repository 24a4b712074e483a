// Optimal values by incremental pruning (backup.hpp): finite horizon, or discounted without end.
//
// Exact up to `epsilon`: the value at every belief is within `error_bound` ≤ epsilon of the optimum when
// `converged`. Without a horizon, value iteration goes on until the change of one stage shows it: if values
// moved by at most r and pruning cost at most δ a stage, they are within (γ r + δ) / (1 − γ) of the optimum.
// The number of vectors can grow doubly exponentially: limits keep the time bounded, and what was reached
// before one is returned.
#pragma once

#include <memory>
#include <optional>

#include "interpole/planning/plan_stop.hpp"
#include "interpole/planning/value_function.hpp"
#include "interpole/sink.hpp"

namespace interpole::planning {

struct ExactOptions {
  std::optional<int> horizon;  // stages to plan for; none: without end, which needs a discount below 1
  double epsilon = 1e-6;       // accuracy of the values, in units of reward
  int most_stages = 100'000;   // without a horizon
  std::size_t most_vectors = 10'000;
  long most_programs = 2'000'000;    // about a minute
  bool lines_for_two_states = true;  // false: linear programs also for two states
  // The value when no stage is left. With a horizon it is what the end is worth; without one it is where the
  // iteration starts: the vectors of a similar problem save most of the stages. Empty: zero.
  AlphaVectors start;

  void validate(const Pomdp& pomdp) const;  // throws a usage error
};

struct ExactSummary {
  ValueFunction value;
  PlanStop stop = PlanStop::kHorizon;
  bool converged = false;    // all stages done, or within epsilon
  int stages = 0;            // how many were computed
  double error_bound = 0.0;  // at any belief, to the optimum of `stages` stages, or without end
  // Of the last stage; their difference is the span. Over all beliefs if converged, else over some. Without a
  // horizon only.
  double lowest_change = 0.0;
  double highest_change = 0.0;
  long programs = 0;  // linear programs solved
};

ExactSummary solve_exact(std::shared_ptr<const Pomdp> pomdp, const ExactOptions& options,
                         Sink& sink = quiet_sink());

}  // namespace interpole::planning
