// How far the explorer's model can be trusted: what its fit said, how well it predicts the decisions, and how
// others do.
#pragma once

#include <string>

#include "interpole/evaluate/evaluation.hpp"
#include "interpole/fit.hpp"
#include "interpole/model_checks.hpp"
#include "interpole/service/explorer/explorer_json.hpp"

namespace interpole::service {

// CheckJson of the document, without `comparison`. `individual`: with names of files and covariates.
ExplorerJson explorer_check_json(const FitResult& fit, const ModelChecks& checks,
                                 const evaluate::Evaluation& evaluation, std::int64_t min_cell,
                                 bool individual);

// Rows of a file that `interpole compare --json` wrote. Throws an input error if it is not one.
ExplorerJson explorer_comparison_json(const std::string& path);

}  // namespace interpole::service
