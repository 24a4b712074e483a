// Simulated patients as a table in the format in which ADNI is distributed, quirks included: what
// studies/adni reads.
//
//   adnimerge   ADNIMERGE.csv: 50 of its columns under their real names
//   tadpole     TADPOLE_D1_D2.csv: the same with D1, D2 and DXCHANGE, and a few of the columns that repeat
//   names with a
//               suffix; in 2% of visits the diagnosis stands in DXCHANGE only
//
// Text cells are quoted. Rows are not in visit order, and those of up to 64 patients are mixed. A missing
// value is an empty cell, a single blank, NA or -4.
#pragma once

#include <string>

#include "interpole/environments/adni/adni_patient.hpp"

namespace interpole::environments {

enum class AdniFormat { kAdnimerge, kTadpole };
AdniFormat adni_format_named(const std::string& name);  // throws a usage error that lists both

struct AdniTableSummary {
  std::int64_t rows = 0;
  std::int64_t records = 0;    // patients whom the study keeps
  std::int64_t decisions = 0;  // their visits
};

// Streams to `path`, which appears complete or not at all. A patient's rows depend on seed, number and
// options.longest alone; neither their cells nor their order depends on the number of threads.
// `rows_per_file`: in parts, as PartedTable has it; 0: one file.
AdniTableSummary write_adni_table(const std::string& path, const SimulateOptions& options, AdniFormat format,
                                  Sink& sink = quiet_sink(), std::int64_t rows_per_file = 0);

}  // namespace interpole::environments
