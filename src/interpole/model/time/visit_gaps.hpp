// Which gaps there can be between two visits, and in which units.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole::model {

// Whether rows of transitions are those of rates (Dynamics::transition).
inline bool has_rates(const Structure& structure) {
  return structure.timed() && structure.time->rule == TimeRule::kGenerators;
}

// "seconds", "minutes", …; nothing if there is no unit of that name.
std::optional<double> seconds_of(const std::string& unit);
const std::vector<std::string>& unit_names();
// The typical gap: "10 days", "1 day".
std::string gap_words(const VisitTime& time);

// Why two visits cannot have these times, one after the other, and what to do; empty: they can.
std::string complaint_about_times(const VisitTime& time, double before, double after);

}  // namespace interpole::model
