// The tables of a study that say how the user's own tables become records. Internal.
#pragma once

#include <optional>

#include "interpole/data/study/study_toml.hpp"
#include "interpole/priors.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

// A study maps a table if it has [source]; without it the other tables of a mapping are refused, but for a
// [record] that says that visits have times.
bool maps_a_table(const TomlValue& root, bool measured = false);

// Everything but factors and labels, which the structure comes between.
TableMapping read_mapping(const TomlValue& root, const std::vector<std::string>& actions);

// What [record] says of the time of visits; nothing: they have none.
std::optional<VisitTime> read_visit_time(const TomlValue& root, const Structure& structure, bool mapped);

// [labels] of a study that maps a table: by a factor's level, by a column of diagnoses, or by one outcome as
// in any other study.
void read_mapped_labels(const TomlValue& table, const Structure& structure, TableMapping& mapping,
                        std::optional<LabelHint>& hint);

}  // namespace interpole::data
