// `interpole groups`: do sites or clinicians decide differently?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpole/base/sink.hpp"
#include "interpole/data/data_files.hpp"
#include "interpole/explain/side_boundaries.hpp"
#include "interpole/learn/groups.hpp"

namespace interpole {

struct GroupsRequest {
  std::string study;  // names a [group] column
  DataFiles data;
  GroupOptions options;
  int min_cell = 11;  // groups with fewer patients are put together
  double level = 0.95;
};

// One boundary in every group.
struct BoundaryByGroup {
  SideBoundary boundary;            // of the policy of all together
  std::vector<Estimate> positions;  // [group]
  Estimate largest_gap;             // between any two groups
};

struct GroupsOutcome {
  Structure structure;
  std::vector<std::string> groups;
  std::vector<std::int64_t> patients;  // [group]
  std::map<std::string, int> place;    // in `groups`, of every group that is compared, also within another
  GroupFit fit;
  std::vector<BoundaryByGroup> boundaries;
  std::vector<std::string> sentences;
  std::vector<std::string> notes;
};

GroupsOutcome run_groups(const GroupsRequest& request, Sink& sink);
std::string to_json(const GroupsOutcome& outcome);

}  // namespace interpole
