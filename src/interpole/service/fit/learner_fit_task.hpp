// `interpole fit --algorithm NAME`: the learner of that name, and the fit of any that searches no posterior.
// One that does has a task with more to say (fit_task.hpp).
#pragma once

#include <string>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/learners/learner.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/service/fit/learning_data.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct LearnerFitRequest {
  std::string study;
  DataFiles data;
  std::string output;  // model file if the learner is one, else learner file; empty: the outcome has its text
  std::string algorithm;
  learners::LearnerOptions options;
  std::int64_t min_cell = kUsualMinCell;  // nothing is learned of categories with fewer records
};

struct LearnerFitOutcome {
  std::string algorithm;
  DataCounts data;
  evaluate::Evaluation evaluation;  // on the data it was fitted to
  bool converged = true;
  bool interrupted = false;  // the best so far was written
  bool is_model = false;     // what was written is a model file
  std::string fit_note;
  std::string words;     // what was learned, over several lines; empty if it cannot be read
  std::string text;      // of the file
  double seconds = 0.0;  // of the fit
};

LearnerFitOutcome run_learner_fit(const LearnerFitRequest& request, Sink& sink);
std::string to_json(const LearnerFitOutcome& outcome);

// The learner that the option "algorithm" names. Usage error.
const learners::Learner& algorithm_named(const std::string& name);

}  // namespace interpole::service
