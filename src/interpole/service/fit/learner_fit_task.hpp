// `interpole fit --algorithm NAME` for any learner of the registry but INTERPOLE, which has a task of its own
// with more to say (fit_task.hpp).
#pragma once

#include <string>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learners/learner.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct LearnerFitRequest {
  std::string study;
  DataFiles data;
  std::string output;  // model file if the learner is one, else learner file
  std::string algorithm;
  learners::LearnerOptions options;
};

struct LearnerFitOutcome {
  std::string algorithm;
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
  std::int64_t histories = 0;       // distinct
  evaluate::Evaluation evaluation;  // on the data it was fitted to
  bool converged = true;
  bool interrupted = false;  // the best so far was written
  bool is_model = false;     // what was written is a model file
  std::string fit_note;
  double seconds = 0.0;  // of the fit
};

LearnerFitOutcome run_learner_fit(const LearnerFitRequest& request, Sink& sink);
std::string to_json(const LearnerFitOutcome& outcome);

// True if the name is one of INTERPOLE's own; its mode and options are then written to `fit`. Usage error for
// a name that no learner has.
bool apply_interpole_algorithm(const std::string& algorithm, const learners::LearnerOptions& options,
                               learn::FitOptions& fit);

}  // namespace interpole::service
