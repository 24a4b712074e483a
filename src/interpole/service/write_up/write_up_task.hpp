// `interpole write-up`: methods, results and attrition of a fit as text to begin a paper with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/evaluation.hpp"
#include "interpole/explain/policy/intervals.hpp"
#include "interpole/service/explain/bias_task.hpp"
#include "interpole/service/explain/check_task.hpp"
#include "interpole/service/study/study_task.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct WriteUpRequest {
  std::string model;
  std::string study;  // for data that are not a visits table
  DataFiles data;
  std::string output;          // Markdown
  std::int64_t min_cell = 11;  // counts from 1 to below this are withheld; 0 or 1: none is
  std::uint64_t seed = 1;
  int threads = 0;
};

// All that the text is made of.
struct WriteUpFacts {
  FitResult fit;
  std::optional<StudyCheck> check;  // where there is a study
  evaluate::Evaluation evaluation;
  CheckOutcome checks;
  std::optional<BiasOutcome> bias;  // of coupled dynamics
  std::optional<explain::FitIntervals> intervals;
  std::int64_t min_cell = 11;
};

struct WriteUpOutcome {
  std::string text;
  int open = 0;  // places marked AUTHOR
};

WriteUpOutcome run_write_up(const WriteUpRequest& request, Sink& sink);

std::string to_json(const WriteUpOutcome& outcome, const WriteUpRequest& request);

}  // namespace interpole::service
