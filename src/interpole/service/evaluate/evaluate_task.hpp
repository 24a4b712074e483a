// `interpole evaluate`: how well a model predicts decisions and, with the truth at hand, how well it explains
// them.
#pragma once

#include <string>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct EvaluateRequest {
  std::string model;  // model file, or file of another learner
  std::string study;  // needed if the data are not a visits table; empty: none
  DataFiles data;
  std::string truth;  // model file; empty: none
  // CSV to write, a row for each decision: the policy there, and what it rests on (VisitColumns). Empty:
  // none.
  std::string visits;
  evaluate::EvaluationOptions options;
};

evaluate::Evaluation run_evaluate(const EvaluateRequest& request, Sink& sink);

}  // namespace interpole::service
