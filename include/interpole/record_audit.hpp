// The audit of records (docs/audit.md): belated diagnoses, tests that could not have told anything, and
// records that are unlikely under the fitted policy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/fit.hpp"

namespace interpole {

struct AuditOptions {
  std::vector<std::string> tests;   // names of actions; empty: told by what actions measure
  double near_certain = 0.9;        // a belief that counts as a diagnosis
  double insignificant = 0.5;       // standard deviations below the mean move
  double false_discoveries = 0.05;  // share expected among records called unlikely
  double certainty = 0.9;           // belated and uninformative flags stand in this share of draws; 0: any
  // In a draw, by so much a test must be likelier than anything else to count for how certain a belated flag
  // is: who is all but indifferent between testing and waiting is late by neither.
  double clearly = 0.05;
  int draws = 200;         // posterior draws, at most
  std::uint64_t seed = 1;  // of the simulated records behind "unlikely"
  int threads = 1;
  // Whether an unrecorded sign is weighed: where decisions follow one, belated diagnoses are withheld.
  bool hidden_information = true;
  void validate() const;  // throws a usage error
};

// Of one record. Visits are positions in it, from 0. Flags are those of the model that are certain enough;
// without draws, all of the model's.
struct RecordAudit {
  bool belated = false;
  std::optional<double> belated_probability;
  std::vector<int>
      left_out;        // if belated: visits before the confirming one at which a wanted test was left out
  int confirmed = -1;  // … and the first later visit whose test made a state near-certain
  // … and how often a sign that was seen there and not recorded would have to be right for leaving the tests
  // out to have been the likeliest thing to do. Nothing: no sign up to 95 of 100 would do.
  std::optional<double> removable_by;
  struct Test {
    int visit = 0;
    bool uninformative = false;
    std::optional<double> probability;
  };
  std::vector<Test> tests;  // visits with a test whose outcome is recorded
  bool unlikely = false;
  double excess = 0.0;  // nats of surprise above expectation
  std::optional<double> tail;

  bool any_uninformative() const;
};

// One for each record, with the fit's own uncertainty, if it has any. Throws a usage error for a test that is
// no action, an input error if a record does not fit the model, or an outcome is impossible.
std::vector<RecordAudit> audit_records(const FitResult& fit, std::span<const Record> records,
                                       const AuditOptions& options = {});

}  // namespace interpole
