// What happened when a table became records, besides the records.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpole/data/mapping/attrition.hpp"

namespace interpole::data {

// The cuts between the levels of a numeric factor, and where they come from.
struct UsedBins {
  std::vector<double> cuts;      // empty: categorical, or derived from a population without values
  std::optional<double> mean;    // with bins by standard deviations: the population's, or as stated
  std::optional<double> spread;  // … and its standard deviation (n − 1)
};

struct FactorReport {
  std::vector<std::int64_t> levels;  // visits with each level; not those that end a record
  std::int64_t missing = 0;          // visits at which it should have been measured and has no value
  std::int64_t ignored = 0;          // visits with a value although the action does not yield it
  UsedBins bins;
};

struct MappingReport {
  Attrition attrition;
  std::vector<FactorReport> factors;  // of the visits kept
  std::int64_t crowded = 0;           // visits closer to the one before than spacing − tolerance
};

}  // namespace interpole::data
