// The paper's tables as experiments: what is simulated, how much of it, and which scores are its columns.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace interpole::evaluate {

// One column.
struct TableScore {
  std::string key;           // in files: "belief_mismatch"
  std::string title;         // for people: "belief mismatch ×10³"
  double shown_times = 1.0;  // what people see is the value times this
  int digits = 2;            // of what people see; the paper's own figures have `paper_digits`
  int paper_digits = 2;
  bool lower_is_better = true;
  double least = 0.0;  // what the score can be at all
  double most = std::numeric_limits<double>::infinity();
};

struct PaperTable {
  std::string name;  // "diag", "bias", "adni": environment and built-in study
  std::string title;
  int number = 0;             // in the paper
  int datasets = 10;          // unless asked otherwise
  std::int64_t patients = 0;  // of a data set, unless asked otherwise
  bool against_truth =
      false;  // compared with the true decision-maker; else scored on patients left out of the fit
  std::vector<TableScore> scores;
};

// Throws a usage error that lists the names for any other.
PaperTable paper_table_named(const std::string& name);

}  // namespace interpole::evaluate
