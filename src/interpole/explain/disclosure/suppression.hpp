// Which counts of a table may be published without giving away a small one.
//
// A reader knows what every cohort means, hence which overlaps are possible; sees sums; and knows that counts
// are not negative. Whatever can be worked out from that must leave room: for every count from 1 to below
// `min_cell` (of a cohort, of its rest, or of the overlap of any two of these), the smallest and the largest
// value that fits everything published must lie at least `min_cell` apart, and at least two even for someone
// who knows how many patients each overlap has and how many of all patients are flagged (who has the
// explorer's page can count them in the courses). Rows are withheld, whole, until that holds: first those
// with a small count of their own, then others (complementary suppression), small ones first, the row of all
// patients last. The bounds come from linear programs over the parts into which cohorts cut the patients.
#pragma once

#include <cstdint>
#include <vector>

namespace interpole::explain {

// Patients cut into parts that no cohort divides. A set lists, for each part, whether it belongs.
using PartSet = std::vector<char>;

// The sum of the counts of its parts.
std::int64_t sum_over(const PartSet& set, const std::vector<std::int64_t>& counts);

struct TableRow {
  std::vector<PartSet> sets;     // whose counts the row tells, the cohort first
  std::vector<PartSet> watched;  // further sets whose small counts nobody may work out
};

// One kind of count over the parts: flagged ones and others. `people` is how many patients stand behind each,
// which may be fewer than what is counted (tests).
struct PartCounts {
  std::vector<std::int64_t> flagged, others;
  std::vector<std::int64_t> flagged_people, other_people;
};

struct Publishable {
  std::vector<char> shown;  // [row]
  bool too_late = false;    // what is public already gives away a small count, whatever is withheld now
};

// Which rows may be shown: row 0 has all patients. `total_shown[row]`: the row's total (flagged + others) is
// public already. `told[row]`: so is the whole row, which therefore stays; empty: none is. Both kinds of
// count of a row are shown or withheld together.
Publishable publishable(const std::vector<TableRow>& rows, const PartCounts& counts,
                        const std::vector<char>& total_shown, std::int64_t min_cell,
                        const std::vector<char>& told = {});

}  // namespace interpole::explain
