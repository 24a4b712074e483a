// Records with the covariates that a study's policy may follow ([policy] context and group) and with which
// starting beliefs may differ ([initial_belief] by): what each covariate is, category or number, is found in
// the data.
#pragma once

#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// Describes these covariates, as the data have them, in the study's policy. Throws an input error if there is
// no such covariate, if it has no value anywhere, if a record of a visits table has two, or if there are too
// many categories.
void describe_covariates(Study& study, const DataFiles& files);

// As read_tree, and told apart by these covariates, which are then described in the study's policy. Without
// any, nothing but read_tree.
HistoryTree read_tree_with_covariates(Study& study, const DataFiles& files);

}  // namespace interpole::data
