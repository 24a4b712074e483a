// Model checks as JSON: what `check`, `fit` and `bias` print with it; and what readers may see of them.
#pragma once

#include <nlohmann/json.hpp>

#include "interpole/model_checks.hpp"

namespace interpole::service {

// A list. `with_numbers`: every number of every check, not only the one that differs most.
nlohmann::ordered_json checks_json(const ModelChecks& checks, bool with_numbers);

// The evidence for an unrecorded sign by how often it is right; null where none was weighed.
nlohmann::ordered_json sign_json(const ModelChecks& checks);

// Without names and values of covariates, of which a rare one could name somebody.
ModelChecks without_covariate_names(ModelChecks checks);

}  // namespace interpole::service
