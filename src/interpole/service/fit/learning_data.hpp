// What every task that learns begins with: the study, and its records as a tree.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/service/run_fingerprint.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

inline constexpr std::int64_t kUsualMinCell = 11;

// What is learned from, and where it goes.
struct LearningRequest {
  std::string study;
  DataFiles data;
  std::string output;
  std::string checkpoint;  // empty: none
  double checkpoint_seconds = base::kCheckpointSeconds;
  std::int64_t min_cell = kUsualMinCell;  // nothing is learned of categories with fewer records
};

struct LearningData {
  Study study;
  HistoryTree tree;
  std::vector<std::string> left_out;  // what is not learned of because it is of few, in sentences
  // Study and data since before they were read: after a digest is taken, it is of what was read if they are
  // unchanged.
  base::WatchedFiles inputs;
};

// `outputs` are refused as require_separate_files does, before anything is read. Throws an input error if a
// file changed meanwhile.
LearningData read_learning_data(const std::string& study, const DataFiles& data, const NamedFiles& outputs,
                                std::int64_t min_cell = kUsualMinCell);

// The same for a request, and its checkpoint; null if it asks for none. `outputs` are those it has besides.
struct LearningRun : LearningData {
  std::unique_ptr<base::Checkpoint> checkpoint;
};
LearningRun begin_learning(const LearningRequest& request, const NamedFiles& outputs,
                           const std::function<base::Checkpoint::Fingerprint()>& fingerprint, Sink& sink);

struct DataCounts {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
  std::int64_t histories = 0;  // distinct

  std::string shown() const;  // "300 patients, 1200 decisions, 87 distinct histories"
};

DataCounts counts_of(const HistoryTree& tree);

}  // namespace interpole::service
