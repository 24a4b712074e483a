// What the records of a study look like, counted.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "interpole/records.hpp"

namespace interpole::data {

struct DataSummary {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
  std::int64_t histories = 0;              // distinct
  std::int64_t without_outcome = 0;        // decisions that could have had one
  std::vector<std::int64_t> actions;       // [action]
  std::vector<std::int64_t> observations;  // [observation]
  std::vector<std::int64_t> values;        // [factor]: visits at which it has a value
  std::vector<std::int64_t> empty;  // [action·F + factor]: visits that could have had a value, and have none
  std::vector<std::int64_t> outcomes;  // [place]: of measured outcomes, in the structure's table
  // [factor]: what 5%, half and 95% of its values lie below; none if it has none.
  std::vector<std::vector<double>> quantiles;
  std::vector<std::int64_t> gaps;     // [place]: between visits that have times, in the structure's table
  std::vector<double> gap_quantiles;  // as of values; none if there is no gap
  std::map<std::size_t, std::int64_t> lengths;  // decisions of a record → records

  explicit DataSummary(const Structure& structure)
      : actions(structure.actions.size()),
        observations(structure.observations.size()),
        values(structure.factors.size()),
        empty(structure.actions.size() * structure.factors.size()) {}

  void add(const Structure& structure, std::span<const Step> record);
  void find_quantiles(const Structure& structure);  // once all are added
};

}  // namespace interpole::data
