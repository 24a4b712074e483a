// `interpole simulate`: records of a decision-maker whose mind is known.
#pragma once

#include <optional>
#include <string>

#include "interpole/simulate.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct SimulateRequest {
  std::string environment;  // diag, bias, tree, adni, ward
  SimulateOptions options;
  std::string format;  // of adni: adnimerge (also if empty) or tadpole. The others write a visits table
  std::optional<double> boundary;  // of diag and bias: the belief at which the doctor declares
  std::string output;              // CSV
  std::int64_t rows_per_file = 0;  // more than these go to further files; 0: one file
  std::string truth;               // model file of the agent with the world beside it; empty: none
};

struct SimulateOutcome {
  std::int64_t patients = 0;
  std::int64_t rows = 0;       // of the table
  std::int64_t records = 0;    // patients whose records a study will find in it; adni: fewer than there are
  std::int64_t decisions = 0;  // in these records
};

SimulateOutcome run_simulate(const SimulateRequest& request, Sink& sink);

}  // namespace interpole::service
