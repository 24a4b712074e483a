// One row of numbers in [known] or [start]: probabilities, or one action's mean. Internal.
#pragma once

#include <limits>
#include <span>
#include <string>

#include "interpole/data/study/study_toml.hpp"

namespace interpole::data {

inline constexpr double kNotStated = std::numeric_limits<double>::quiet_NaN();

struct StudyRow {
  std::span<double> values;       // where the numbers go; NaN: not stated ("?")
  std::span<const double> fixed;  // numbers that are settled already and may not be contradicted; NaN: none
  std::string why_fixed;          // what settled them, for the complaint
  std::string per;                // "one for each state"
  bool probabilities = true;      // otherwise a mean, whose elements may be any number
  bool starting = false;          // numbers to start from, which must be able to move
  bool for_all = false;           // stated for every action at once: gives way to what is settled
};

// Reads the list into `row.values`. The row must be able to sum to one; a single missing element is filled
// in.
void read_study_row(const TomlValue& list, const StudyRow& row);

// Fills in the one NaN of a row that sums to one; leaves rows with none or several alone.
void fill_determined(std::span<double> row);

}  // namespace interpole::data
