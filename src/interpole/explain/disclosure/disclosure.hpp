// What may be told of a few patients: counts from 1 to below `min_cell` are withheld wherever they would be
// shown, and so is what would give them away. With `min_cell` 0 or 1 nothing is.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace interpole::explain {

bool is_small(std::int64_t count, std::int64_t min_cell);

// "7,926", but "<11" for 1 … 10 if `min_cell` is 11.
std::string safe_count(std::int64_t count, std::int64_t min_cell);

// Which counts must be withheld where they divide a total that is shown: the small ones, and as many of the
// next smallest as it takes that each of the withheld ones may be anything from 1 to min_cell for a reader
// who has the total (a zero is shown, so what is withheld is at least 1). For tables of overlapping cohorts
// see suppression.hpp.
std::vector<char> withheld(std::span<const std::int64_t> counts, std::int64_t min_cell);

// The same where what is counted is not patients: `people[i]` of them stand behind counts[i]. Few of these
// are as small as a small count.
std::vector<char> withheld(std::span<const std::int64_t> counts, std::span<const std::int64_t> people,
                           std::int64_t min_cell);

// Which groups of patients may be named: those of min_cell or more. The others are one group together if they
// are as many, and left out if not.
struct NamedGroups {
  std::vector<std::string> names;    // several together are the last
  std::map<std::string, int> place;  // in `names`, of every group that is not left out
  bool left_out = false;
};
NamedGroups named_groups(const std::map<std::string, std::int64_t>& patients, std::int64_t min_cell);

}  // namespace interpole::explain
