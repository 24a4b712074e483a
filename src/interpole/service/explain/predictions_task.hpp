// What a model or another learner believes and expects before each decision, in memory: the numbers of
// `interpole beliefs`, and the same of learners that are no model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/records.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct PredictionsRequest {
  std::string model;  // model file, or file of another learner
  std::string study;  // needed if the data are not a visits table; empty: none
  DataFiles data;
  bool names = true;  // of patients and visits
};

// Rows are decisions, in the order of the records; of a visits table, in the order of its rows.
struct Predictions {
  Structure structure;
  std::vector<std::string> patients;    // [record]
  std::vector<std::int64_t> first_row;  // [record], and the number of rows at the end
  std::vector<std::int64_t> steps;      // [row], as the table numbers them
  std::vector<std::string> visits;      // [row], as a mapped table names them; or empty
  std::vector<Step> decisions;          // [row]
  std::vector<double> beliefs;          // [row·S + s]; empty: the learner has none
  std::vector<double> policies;         // [row·A + a]
};

// A row's numbers follow from the rows of its record before it, and from no others. Throws an input error if
// the model calls an outcome impossible.
Predictions run_predictions(const PredictionsRequest& request, Sink& sink);

}  // namespace interpole::service
