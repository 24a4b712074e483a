// `interpole audit`: belated diagnoses, tests that could not have told anything, unlikely records, and how
// they are spread over cohorts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/explain/audit/audit.hpp"
#include "interpole/explain/cohorts/cohorts.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct AuditRequest {
  std::string model;
  std::string study;  // for data that are not a visits table
  DataFiles data;
  std::string draws;     // from `sample`; empty: the model's own approximation, if it has one
  AuditOptions options;  // but for the certainty
  // That belated and uninformative flags must have; nothing: the usual one if the model says how sure it is,
  // else any flag of the model stands, and the sink is told.
  std::optional<double> certainty;
  std::vector<std::string> cohorts;  // expressions; empty: the covariates the study declares
  explain::CohortOptions tables;
  std::string ledger;  // of what was published of these data (docs/audit.md); empty: none is kept
  std::string csv;     // one row for each patient; empty: none
  bool list = false;   // name flagged patients in the outcome
};

// A patient with a flag, for people: visits as the table calls them.
struct FlaggedPatient {
  std::string patient;
  RecordAudit audit;
  std::vector<std::string> visits;
};

struct AuditOutcome {
  Structure structure;
  explain::AuditRules rules;
  AuditOptions options;
  double certainty = 0.0;
  std::int64_t min_cell = 0;
  double least_move = 0.0;
  int draws = 0;
  std::string source;  // of the probabilities; empty: none
  std::int64_t simulated = 0;
  explain::CohortTables tables;
  std::vector<explain::CohortTestValue> tests;
  std::vector<FlaggedPatient> flagged;  // if asked for
  std::vector<std::string> warnings;
};

AuditOutcome run_audit(const AuditRequest& request, Sink& sink);
std::string to_json(const AuditOutcome& outcome);

}  // namespace interpole::service
