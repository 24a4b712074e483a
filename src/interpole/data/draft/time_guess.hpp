// Whether the column that orders visits tells when they were, and whether that matters: at irregular
// distances what happens between two visits depends on how far they are apart. Internal.
#pragma once

#include <optional>
#include <string>

#include "interpole/data/draft/column_roles.hpp"
#include "interpole/data/draft/table_profile.hpp"

namespace interpole::data {

struct TimeGuess {
  std::string unit;        // as a study names it
  bool unit_known = true;  // false: nothing says what the numbers count
  double low = 0.0;        // of most gaps, in the unit
  double median = 0.0;
  double high = 0.0;
  bool irregular = false;
};

// Nothing: places of visits (codes, visit numbers, rows) tell no time.
std::optional<TimeGuess> guess_time(const ProfiledTable& table, const std::string& id,
                                    const OrderGuess& order);

}  // namespace interpole::data
