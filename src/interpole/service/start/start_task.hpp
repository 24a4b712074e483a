// `interpole start`: from a table to a provisional report, with nothing to edit on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/service/fit/fit_task.hpp"
#include "interpole/service/study/study_init.hpp"
#include "interpole/service/study/study_task.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct StartRequest {
  std::string table;
  std::string output;     // folder; made if it is not there. Empty: named after the table
  bool force = false;     // replace a study that is there
  double seconds = 30.0;  // for the search; what is best by then is reported
  std::uint64_t seed = 1;
  int threads = 0;
};

struct StartOutcome {
  std::string folder;
  std::string study;
  std::string model;
  std::string report;
  Draft draft;
  StudyCheck check;
  FitOutcome fit;
  std::optional<double> auroc;        // of actions, on the records the model was fitted to
  std::vector<std::string> assumed;   // in sentences
  std::vector<std::string> found;     // … what may be looked at
  std::vector<std::string> cautions;  // … what keeps it from being believed as it is
};

// Throws an input error if no study can be guessed; what was understood is then in the folder, with the
// questions that remain. A usage error if a study is there already and force is not set.
StartOutcome run_start(const StartRequest& request, Sink& sink);

std::string to_json(const StartOutcome& outcome);

}  // namespace interpole::service
