// The explorer with a fit and its records in it: one self-contained HTML page (docs/explorer.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "interpole/fit.hpp"
#include "interpole/sink.hpp"

namespace interpole {

struct ReportOptions {
  std::string title;              // empty: "Decisions and beliefs"
  std::int64_t min_cell = 11;     // counts from 1 to below this are withheld; 0 or 1: none is
  bool allow_individual = false;  // patients' identifiers; without it nothing in the page names a patient
  std::uint64_t seed = 1;
  int threads = 0;                    // 0: all cores
  std::int64_t most_visits = 500000;  // of more, a random part of the patients is given
};

// Throws an input error if a record does not fit the model, or an outcome is impossible; a runtime error if
// the library was built without the explorer.
std::string report_html(const FitResult& fit, std::span<const Record> records,
                        const ReportOptions& options = {}, Sink& sink = quiet_sink());

}  // namespace interpole
