// Records with the covariates that a study's policy may follow ([policy] context and group) and with which
// starting beliefs may differ ([initial_belief] by): what each covariate is, category or number, is found in
// the data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// Describes these covariates, as the data have them, in the study's policy, but for categories of fewer than
// `fewest` records: what is learned of a few would name them in every file, so they count as not known. What
// is left out is said in sentences, without names. Throws an input error if there is no such covariate, if it
// has no value anywhere or no category of enough records, if a record of a visits table has two, or if there
// are too many categories.
std::vector<std::string> describe_covariates(Study& study, const DataFiles& files, std::int64_t fewest = 0);

// As read_tree, and told apart by these covariates, which are then described in the study's policy. Without
// any, nothing but read_tree. The sentences are added to `left_out`, if given.
HistoryTree read_tree_with_covariates(Study& study, const DataFiles& files, std::int64_t fewest = 0,
                                      std::vector<std::string>* left_out = nullptr);

}  // namespace interpole::data
