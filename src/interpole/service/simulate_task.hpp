// `interpole simulate`: records of a decision-maker whose mind is known.
#pragma once

#include <string>

#include "interpole/base/sink.hpp"
#include "interpole/environments/simulate.hpp"

namespace interpole {

struct SimulateRequest {
  std::string environment;  // diag, bias, tree
  SimulateOptions options;
  std::string output;  // visits table (CSV)
  std::string truth;   // model file of the agent with the world beside it; empty: none
};

struct SimulateOutcome {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
};

SimulateOutcome run_simulate(const SimulateRequest& request, Sink& sink);

}  // namespace interpole
