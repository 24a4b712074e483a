// What learning needs of a visits table in several files, read by several ranks together
// (records/dealt_records.hpp). Null or false, on all ranks: everybody must read everything, because there is
// nothing to deal or because something is wrong.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// As read_tree_in_context (record_contexts.hpp), and without covariates as read_tree (study_data.hpp).
std::optional<HistoryTree> dealt_tree(const Study& study, const DataFiles& files,
                                      std::span<const PolicyCovariate> covariates = {},
                                      RecordClasses classes = RecordClasses::kTogether,
                                      const std::vector<int>& start_by = {});

// How many records have each combination of values of these covariates.
using CovariateCounts = std::map<std::vector<std::string>, double>;
bool deal_covariate_counts(const Study& study, const DataFiles& files, const std::vector<std::string>& names,
                           CovariateCounts& counts);

}  // namespace interpole::data
