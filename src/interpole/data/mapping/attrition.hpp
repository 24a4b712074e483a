// What became of a table's rows: how many came in, how many were left out and why, how many were kept. They
// add up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace interpole::data {

struct Attrition {
  struct Stage {
    std::string reason;
    std::int64_t rows = 0;
    std::int64_t patients = 0;  // those that lost the last of their rows here
  };

  std::int64_t rows_in = 0;
  std::int64_t patients_in = 0;  // with an id
  std::vector<Stage> dropped;    // in the order in which they apply; a row counts where it is left out first
  std::int64_t rows_kept = 0;
  std::int64_t patients_kept = 0;
  // Of those that are kept: sooner after the one before than the study's spacing allows, and of how many
  // patients.
  std::int64_t rows_too_soon = 0;
  std::int64_t patients_too_soon = 0;
};

}  // namespace interpole::data
