// The fits of a reproduced table: run on threads, kept as soon as they are done, taken up again.
#pragma once

#include <optional>
#include <vector>

#include "interpole/base/files/checkpoint.hpp"
#include "interpole/service/evaluate/reproduce_task.hpp"

namespace interpole::service {

// Everything that the fits share.
struct ReproducePlan {
  evaluate::PaperTable table;
  Study study;
  std::optional<Model> truth;  // if the table compares with one
  int scored = 0;              // else: the action whose scores are taken
  std::vector<evaluate::TableRow> rows;
  int datasets = 1;
  int parts = 1;  // of a data set: its folds
  std::int64_t patients = 0;
  std::vector<Record> records;  // of the user's own table; empty: simulated
  std::uint64_t seed = 1;
  int threads = 0;

  std::uint64_t seed_of(int dataset) const { return seed + static_cast<std::uint64_t>(dataset); }
  evaluate::TableDataset dataset(int dataset) const;  // from 0
};

// [(dataset·rows + row)·parts + part]; nothing where a stop came first. `kept` may be null.
std::vector<std::optional<evaluate::TableRun>> run_jobs(const ReproducePlan& plan, base::Checkpoint* kept,
                                                        Sink& sink);

}  // namespace interpole::service
