// Simulated records as a visits table: the CSV that `fit` reads.
#pragma once

#include <string>

#include "interpole/simulate.hpp"

namespace interpole::environments {

// Header `patient,step,action,observation` and the covariates that the agent's policy follows, steps from 1,
// empty observation after a terminal action. Names are quoted where RFC 4180 asks for it. The file appears
// complete or not at all. Returns the number of rows.
// `rows_per_file`: in parts, as PartedTable has it; 0: one file.
std::int64_t write_visits(const std::string& path, const Environment& environment,
                          const SimulateOptions& options, Sink& sink = quiet_sink(),
                          std::int64_t rows_per_file = 0);

}  // namespace interpole::environments
