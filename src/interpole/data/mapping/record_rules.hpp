// Which of a patient's visits become the record: the rules that look at visits in their order (first visit,
// gaps, length, ending). What looks at one row alone is in mapped_sql.hpp. Internal.
#pragma once

#include <span>

#include "interpole/data/mapping/attrition.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

struct KeptVisits {
  std::size_t begin = 0;
  std::size_t end = 0;  // begin = end: none
  int lost_at = -1;     // if none: the stage at which the last of them went
};

// Spacing such as 0.1 is not exact in binary; this much is forgiven.
double gap_slack(double distance);

class RecordRules {
 public:
  // Appends its stages to attrition.dropped.
  RecordRules(const TableMapping& mapping, Attrition& attrition);

  // `places` ascend; `ends_badly[i]`: the record may not end with visit i. Counts the rows it leaves out.
  KeptVisits apply(std::span<const double> places, std::span<const char> ends_badly,
                   Attrition& attrition) const;

  // Two visits further apart than the study expects, or closer than it expects.
  bool is_gap(double from, double to) const;
  bool is_crowded(double from, double to) const;

 private:
  const RecordRule& rule_;
  std::size_t minimum_visits_;
  int no_first_ = -1;
  int before_first_ = -1;
  int gap_ = -1;
  int short_ = -1;
  int ending_ = -1;
};

}  // namespace interpole::data
