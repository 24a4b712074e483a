// Outcomes as JSON text: what `--json` prints and what a model file says of its making.
#pragma once

#include <string>

#include "interpole/service/fit/fit_task.hpp"

namespace interpole::service {

std::string to_json(const FitOutcome& outcome);

// Where a result came from: program, study and data with their digests; `counts` (of the data) and `options`
// are JSON objects.
std::string provenance_json(const std::string& study, const DataFiles& data, const std::string& counts,
                            const std::string& options);

}  // namespace interpole::service
