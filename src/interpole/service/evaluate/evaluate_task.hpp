// `interpole evaluate`: how well a model predicts decisions and, with the truth at hand, how well it explains
// them.
#pragma once

#include <string>

#include "interpole/base/sink.hpp"
#include "interpole/data/tables/data_files.hpp"
#include "interpole/evaluate/evaluation.hpp"

namespace interpole {

struct EvaluateRequest {
  std::string model;  // model file, or file of another learner
  std::string study;  // needed if the data are not a visits table; empty: none
  DataFiles data;
  std::string truth;  // model file; empty: none
  EvaluationOptions options;
};

Evaluation run_evaluate(const EvaluateRequest& request, Sink& sink);

std::string to_json(const Evaluation& evaluation);

}  // namespace interpole
