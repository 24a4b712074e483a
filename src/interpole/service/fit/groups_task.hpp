// `interpole groups`: do sites or clinicians differ, and in what?
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/explain/cohorts/cohorts.hpp"
#include "interpole/explain/policy/side_boundaries.hpp"
#include "interpole/service/fit/group_numbers.hpp"
#include "interpole/service/fit/group_verdict.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct GroupsRequest {
  std::string study;  // names a [group] column
  DataFiles data;
  learn::GroupOptions options;
  int min_cell = 11;   // groups with fewer patients are put together
  std::string ledger;  // of what was published of these data (docs/audit.md); empty: none is kept
  double level = 0.95;
};

// One boundary in every group.
struct BoundaryByGroup {
  explain::SideBoundary boundary;   // of the policy of all together
  std::vector<Estimate> positions;  // [group]
  Estimate largest_gap;             // between any two groups; never below zero, however alike they are
  int lowest = 0;                   // the two groups furthest apart, by the middles of their positions
  int highest = 0;
  Estimate difference;  // highest − lowest

  // The interval of the difference leaves zero out.
  bool differs() const { return difference.low > 0.0; }
};

struct GroupsOutcome {
  Structure structure;
  std::vector<std::string> groups;
  // How many patients each has, as may be told beside the tables of the study's own cohorts and the ledger.
  std::vector<explain::GroupSize> sizes;
  std::map<std::string, int> place;  // in `groups`, of every group that is compared, also within another
  learn::GroupFit fit;
  GroupJudgement judgement;
  std::vector<BoundaryByGroup> boundaries;
  std::vector<NumberByGroup> numbers;  // of patients and picture, where the likeliest explanation has them
  std::vector<std::string> sentences;
  std::vector<std::string> notes;
};

// "x" gives way to "y" at 10% [8, 12] "ill" in "south", at 30% [29, 31] in "north"; or that no two groups
// surely differ.
std::string sentence_of(const GroupsOutcome& outcome, const BoundaryByGroup& boundary);

GroupsOutcome run_groups(const GroupsRequest& request, Sink& sink);
std::string to_json(const GroupsOutcome& outcome);
// The evidence for each cause.
nlohmann::ordered_json hypotheses_json(const GroupsOutcome& outcome);
std::string name_of(const learn::GroupHypothesis& what);  // "patients and policy"

}  // namespace interpole::service
