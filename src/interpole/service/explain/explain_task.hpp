// `interpole explain`: one patient's record explained visit by visit, or all of them as a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"
#include "interpole/visit_explanation.hpp"

namespace interpole::service {

struct ExplainRequest {
  std::string model;
  std::string study;  // for data that are not a visits table
  DataFiles data;
  std::string patient;
  std::string draws;  // from `sample`; empty: the model's own approximation, if it has one
  double level = 0.95;
  std::uint64_t seed = 1;
};

struct ExplainOutcome {
  std::string patient;
  Structure structure;
  OutcomeFactors factors;
  std::vector<VisitExplanation> visits;
  std::vector<double> kinds;   // how likely each kind of decision-maker is, given all; empty: there is one
  std::string likeliest_kind;  // in words
  std::string source;          // of the intervals; empty: none
  std::vector<std::string> warnings;
};

// Throws an input error that names the closest id if there is no such patient.
ExplainOutcome run_explain(const ExplainRequest& request, Sink& sink);
std::string to_json(const ExplainOutcome& outcome);
// Throws a usage error that names the closest visit.
const VisitExplanation& visit_named(const ExplainOutcome& outcome, const std::string& name);

// One row for each decision of every patient (of `request.patient` alone, if named), streamed to a CSV file.
struct ExplainTableOutcome {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
};
ExplainTableOutcome run_explain_table(const ExplainRequest& request, const std::string& output, Sink& sink);

}  // namespace interpole::service
