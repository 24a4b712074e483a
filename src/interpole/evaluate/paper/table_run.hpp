// One fit of a paper's table, and its scores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/evaluate/paper/table_dataset.hpp"
#include "interpole/evaluate/paper/table_rows.hpp"
#include "interpole/parameters.hpp"
#include "interpole/sink.hpp"

namespace interpole::evaluate {

struct TableRun {
  std::vector<std::optional<double>> scores;  // in the order of the table's columns
  bool converged = true;
  std::string fit_note;
  std::string failure;   // if not empty, why there are no scores
  double seconds = 0.0;  // of the fit, processor time of the thread it ran on
};

// Fits on the calling thread. `truth` may be null if the table does not compare with one; without it the
// scores are those of the action `scored`. Throws Error(kInterrupted) if asked to stop before it was done;
// a learner that cannot learn from these data (an input error) is a result.
TableRun run_table_row(const PaperTable& table, const TableRow& row, const TableDataset& dataset, int part,
                       const DecisionProblem& problem, const Model* truth, int scored, Sink& sink);

}  // namespace interpole::evaluate
