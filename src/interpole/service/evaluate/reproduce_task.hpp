// `interpole reproduce`: the paper's Tables 2, 3 and 4, on simulated data sets or the user's own ADNI table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/evaluate/paper/over_datasets.hpp"
#include "interpole/evaluate/paper/paper_numbers.hpp"
#include "interpole/evaluate/paper/table_run.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct ReproduceRequest {
  std::string table;                     // diag, bias or adni
  std::optional<int> datasets;           // nothing here and below: the table's own number
  std::optional<std::int64_t> patients;  // of a simulated data set
  std::optional<int> folds;              // of adni
  std::vector<std::string> learners;     // rows by name (evaluate/paper/table_rows.hpp); empty: all
  std::string study;                     // of adni, with `data`
  DataFiles data;                        // of adni; empty: simulated
  std::string output;                    // folder for the files; empty: none are written
  std::uint64_t seed = 1;                // data set i has seed + i − 1
  int threads = 0;
};

// One learner on one data set: the mean over its parts.
struct ReproduceRun {
  int dataset = 0;  // from 1
  std::uint64_t seed = 1;
  std::size_t row = 0;
  evaluate::TableRun result;
};

struct ReproducedScore {
  evaluate::OverDatasets ours;
  std::optional<evaluate::PaperFigure> paper;
  bool worse = false;  // our mean is worse than the paper's
};

struct ReproducedRow {
  evaluate::TableRow row;
  std::vector<ReproducedScore> scores;  // in the order of the table's columns
  int runs = 0;                         // data sets that are done
  int not_converged = 0;                // of them
  std::string failure;                  // the first, if it could not learn from one of them
  double seconds = 0.0;                 // processor time of all its fits
};

struct ReproduceOutcome {
  evaluate::PaperTable table;
  std::uint64_t seed = 1;
  int datasets = 0;
  std::int64_t patients = 0;  // of a simulated data set; of the user's own table: its records
  int folds = 0;              // 0: the table has none
  std::string data;           // the user's own table; empty: simulated
  std::vector<ReproducedRow> rows;
  std::vector<ReproduceRun> runs;  // by data set, then by row; those that are done
  // What two copies of the true decision-maker differ by, on the same data sets: no learner can be expected
  // to be below it. Only of tables that compare with a truth.
  std::optional<evaluate::OverDatasets> stopping_time_of_truth;
  bool interrupted = false;
  std::vector<std::string> files;  // that were written
};

// If an output folder is given, every finished fit is kept there, and a later call with the same settings
// (other learners, or more data sets, may be asked for) goes on from them to the same bytes. Throws an input
// error if the folder holds fits of other settings. If asked to stop, the tables of what is finished are
// written; if nothing is, throws Error(kInterrupted).
ReproduceOutcome run_reproduce(const ReproduceRequest& request, Sink& sink);

}  // namespace interpole::service
