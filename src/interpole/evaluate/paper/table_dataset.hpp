// One data set of a paper's table: what learners are fitted to and what they are scored on.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/evaluate/paper/paper_table.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/problem.hpp"

namespace interpole::evaluate {

// Part k: fitted to train[k], scored on test[k]. Against the truth there is one part, whose test records are
// of patients simulated anew; else there is one for each fold.
struct TableDataset {
  std::uint64_t seed = 1;  // of the simulation, of dealing folds, of the fits
  std::int64_t patients = 0;
  std::vector<HistoryTree> train, test;
};

// As the authors do: so many fresh patients for mismatches, and as many for the stopping time.
inline constexpr std::int64_t kTestPatients = 500;
// Data set of seed k is tested on patients simulated from seed k + this.
inline constexpr std::uint64_t kTestSeedDistance = 1'000'000;

// DIAG and BIAS. `simulate NAME --patients N --seed K` writes the same records to a file.
TableDataset simulated_diagnoses(const PaperTable& table, const DecisionProblem& problem,
                                 std::int64_t patients, std::uint64_t seed);

// The records that the study finds in the table of `simulate adni --patients N --seed K`.
std::vector<Record> simulated_adni_records(const DecisionProblem& problem, std::int64_t patients,
                                           std::uint64_t seed);

// Deals records into folds, as `compare --folds F --seed K` does.
TableDataset dealt(const DecisionProblem& problem, const std::vector<Record>& records, int folds,
                   std::uint64_t seed);

}  // namespace interpole::evaluate
