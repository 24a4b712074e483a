// `interpole plan`: the value function of a .pomdp file, as an .alpha file.
#pragma once

#include <optional>
#include <string>

#include "interpole/planning/planner/planner.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct PlanRequest {
  std::string problem;             // .pomdp file
  std::string output;              // .alpha file
  std::optional<double> discount;  // in place of the file's own
  planning::PlanOptions options;
};

struct PlanOutcome {
  planning::Pomdp problem;
  planning::PlanSummary summary;
};

// Throws an interrupted error, and writes nothing, if asked to stop.
PlanOutcome run_plan(const PlanRequest& request, Sink& sink);

std::string to_json(const PlanOutcome& outcome, const PlanRequest& request);

}  // namespace interpole::service
