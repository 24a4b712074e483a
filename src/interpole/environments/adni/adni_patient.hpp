// One simulated patient of an ADNI-shaped study: who they are, when they came, what was recorded and what was
// not.
//
// The clean record comes from the environment (adni.hpp). Around it the patient's rows get what makes the
// real table hard to read: visits outside the six-monthly schedule, missed visits and later ones, visits
// without a diagnosis or without CDR-SB, no baseline. `expected` says what a reader that applies the paper's
// rules must get back.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interpole/simulate.hpp"

namespace interpole::environments {

struct AdniVisit {
  std::string_view code;  // VISCODE: bl, m06, m12, …, m114; m03, sc, nv, uns1 are outside the schedule
  int month = 0;          // since baseline
  int state = 0;          // the diagnosis of that day: kNormal, kMildImpairment, kDementia
  int previous = 0;       // the diagnosis recorded before it; the same one if there is none
  int outcome = 0;        // adni_outcome()
  bool scheduled = true;
  bool has_diagnosis = true;
  bool has_cdr = true;
  bool only_code = false;  // TADPOLE: DX is empty, DXCHANGE is not
};

struct AdniPatient {
  std::int64_t rid = 0;
  int age_tenths = -1;  // at baseline, in tenths of a year; −1: not recorded
  bool female = false;
  int apoe4 = 0;                  // copies of the ε4 allele: 0, 1, 2
  int site = 0;                   // hospital
  int protocol = 0;               // 0 ADNI1, 1 ADNIGO, 2 ADNI2
  int baseline_day = 0;           // days since 1970-01-01
  std::vector<AdniVisit> visits;  // in time order
  std::vector<Step> expected;     // empty: no baseline, or the last diagnosis is a transition
};

// Patients 1, 2, …: `rid` is that number. Depends on seed, number and `longest` alone (the most six-monthly
// visits a patient makes; 0: the environment's limit). Uses the memory of `patient` again.
void simulate_adni_patient(const Environment& environment, std::uint64_t seed, std::int64_t number,
                           int longest, AdniPatient& patient);

// The records that studies/adni must find in the table written with these options, in order of rid;
// Record::patient is the rid. For tests: holds all of them.
std::vector<Record> expected_records(const SimulateOptions& options);

}  // namespace interpole::environments
