// What every task that learns begins with: the study, and its records as a tree.
#pragma once

#include <cstdint>
#include <string>

#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/service/run_fingerprint.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

struct LearningData {
  Study study;
  HistoryTree tree;
};

// `outputs` are refused as require_separate_files does, before anything is read.
LearningData read_learning_data(const std::string& study, const DataFiles& data,
                                const base::Checkpoint::Fingerprint& outputs);

struct DataCounts {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
  std::int64_t histories = 0;  // distinct

  std::string shown() const;  // "300 patients, 1200 decisions, 87 distinct histories"
};

DataCounts counts_of(const HistoryTree& tree);

}  // namespace interpole::service
