// `interpole compare`: all learners, cross-validated by patient.
#pragma once

#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/cross_validation.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct CompareRequest {
  std::string study;
  DataFiles data;
  int folds = 5;
  std::vector<std::string> learners;  // names; empty: all
  std::string csv;                    // file to write; empty: none
  std::int64_t min_cell = 11;         // nothing is learned of categories with fewer records
  evaluate::CrossValidationOptions options;
};

struct CompareOutcome {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
  int folds = 0;
  std::uint64_t seed = 1;
  evaluate::CrossValidation result;
  std::vector<std::string> sentences;  // what learners that know next to nothing say of the others
};

// Interrupted: the finished rows, in the CSV file too. If there are none, throws Error(kInterrupted).
CompareOutcome run_compare(const CompareRequest& request, Sink& sink);
std::string to_json(const CompareOutcome& outcome);

}  // namespace interpole::service
