// Bins that depend on the population: its mean and standard deviation, or its quantiles. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/data/mapping/mapping_report.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

// The bins of a rule that depends on no population; empty otherwise.
UsedBins stated_bins(const NumericBins& rule);

// Sees the population's values one at a time. Standard deviations are kept running (Welford's recurrence,
// with n − 1 at the end); quantiles need the values themselves, eight bytes each, and lie between two of them
// in proportion.
class Population {
 public:
  explicit Population(const NumericBins& rule) : rule_(&rule) {}
  void add(double value);  // NaN: there is none
  UsedBins bins();

 private:
  const NumericBins* rule_;
  std::int64_t count_ = 0;
  double mean_ = 0.0;
  double squares_ = 0.0;
  std::vector<double> values_;
};

}  // namespace interpole::data
