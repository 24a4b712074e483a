// The records that a model is checked on, told apart by the covariates that its policy follows and by those
// that the study names.
#pragma once

#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/model_checks.hpp"
#include "interpole/parameters.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

struct CheckedRecords {
  HistoryTree tree;
  // What each number of a record is: first the covariates of the model's policy, as it has them. Those
  // without a name were not read.
  std::vector<PolicyCovariate> covariates;
};

// Throws an input error as data::describe_covariates and data::read_tree_in_context do.
CheckedRecords read_checked_records(Study study, const DataFiles& data, const Model& model,
                                    RecordClasses classes, Sink& sink);

// check_model, whose complaints name the files.
ModelChecks check_on_files(const FitResult& fit, const HistoryTree& tree, const ModelCheckOptions& options,
                           const DataFiles& data);

}  // namespace interpole::service
