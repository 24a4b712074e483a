// `interpole plan`: the value function of a .pomdp file, as an .alpha file.
#pragma once

#include <optional>
#include <string>

#include "interpole/base/sink.hpp"
#include "interpole/planning/planner/planner.hpp"

namespace interpole {

struct PlanRequest {
  std::string problem;             // .pomdp file
  std::string output;              // .alpha file
  std::optional<double> discount;  // in place of the file's own
  PlanOptions options;
};

struct PlanOutcome {
  Pomdp problem;
  PlanSummary summary;
};

// Throws an interrupted error, and writes nothing, if asked to stop.
PlanOutcome run_plan(const PlanRequest& request, Sink& sink);

std::string to_json(const PlanOutcome& outcome, const PlanRequest& request);

}  // namespace interpole
