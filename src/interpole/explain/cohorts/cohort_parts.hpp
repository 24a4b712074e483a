// Patients cut into parts that no cohort divides, and what is counted in each. Internal to cohorts.cpp.
#pragma once

#include <array>
#include <vector>

#include "interpole/explain/cohorts/cohorts.hpp"
#include "interpole/explain/disclosure/suppression.hpp"

namespace interpole::explain {

struct CohortParts {
  std::vector<std::vector<Membership>> members;  // [part][cohort]
  std::vector<std::int64_t> patients;            // [part]
  std::array<PartCounts, kFlagKinds> counts;     // by kind
  std::vector<ClusterSums> tests;                // [part]
  // By each of a few posterior draws: patients with a flag, and tests.
  struct Imputed {
    std::int64_t belated = 0, uninformative = 0;
    ClusterSums tests;
  };
  int imputations = 0;                        // 0: not known
  std::vector<std::vector<Imputed>> imputed;  // [part][draw]
  struct Sets {
    PartSet in, out, unknown;
  };
  std::vector<Sets> sets;  // all patients, then cohort by cohort
};

// The study's groups as far as they may be named, and whose patients are in which; −1: left out.
struct GroupCells {
  std::vector<std::string> names;
  std::vector<int> of_patient;
};
GroupCells group_cells(const CohortData& data, std::int64_t min_cell);

// `groups`, if given, cut parts too, and their sets come after those of the cohorts, then that of patients
// who are in none (its `in`), if there are any.
CohortParts cut_into_parts(const CohortData& data, const std::vector<CohortExpression>& cohorts,
                           const GroupCells* groups = nullptr);

// What a table of these counts tells. A row tells of its cohort. A test against the rest tells of those who
// are known not to belong too: it is left out (compared[row] = 0) if the unknown ones are few.
struct PublishedRows {
  std::vector<TableRow> rows;
  std::vector<char> compared;
};
PublishedRows published_rows(const CohortParts& parts, const PartCounts& counts, std::int64_t min_cell,
                             const std::vector<char>* may_compare = nullptr);

}  // namespace interpole::explain
