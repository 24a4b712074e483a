// The tables [[factors]] of a study, and the outcomes and masks that follow from them. Internal.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/study/study_toml.hpp"
#include "interpole/structure.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

// The actions as far as factors need them.
struct ActionNames {
  std::vector<std::string> names;
  std::vector<char> terminal;
};

// What factors may be: levels of one joint outcome, or also what is measured, in tables of the user's own or
// in a visits table, whose columns have the factors' names.
enum class FactorUse { kJoint, kMeasured, kMeasuredVisits };

// `seen_before`: what [record] says, for factors that say nothing themselves.
std::vector<Factor> read_factors(const TomlValue& list, const ActionNames& actions, bool seen_before,
                                 FactorUse use = FactorUse::kJoint);

// seen = "before" or "after".
bool read_seen_before(const TomlValue& value);

// How many outcomes the factors make; can be larger than any list could be.
double joint_outcome_count(const std::vector<Factor>& factors);

// All combinations of levels, last factor varying fastest, joined by " | ".
std::vector<std::string> joint_outcomes(const std::vector<Factor>& factors);

// An action yields the outcomes in which the factors it measures have a value and the others have none.
void mask_outcomes(const TableMapping& mapping, Structure& structure);

// A text that is not empty.
std::string filled_text(const TomlValue& value);

// Cells to indices into `names`: a table of them, or every name for itself if there is no such key.
std::vector<CellMeaning> read_meanings(const TomlValue& table, std::string_view key,
                                       const std::vector<std::string>& names, std::string_view what);

// The index of a name among `names`; refuses one that is not there, calling it `what`.
int read_choice(const TomlValue& value, const std::vector<std::string>& names, std::string_view what);

}  // namespace interpole::data
