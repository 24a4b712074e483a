// Learners compared pair by pair, on the same patients: differences of scores with an interval of the
// difference. Two learners find the same patients hard, so their scores rise and fall together, and intervals
// of single scores may overlap where the difference is beyond doubt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/evaluate/intervals.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/structure.hpp"

namespace interpole::evaluate {

// Learner less reference.
struct Difference {
  std::optional<double> mean;        // over folds
  std::optional<Interval> interval;  // patients of every fold drawn anew, the fits as they are
  // The folds' differences by Student's t: fits differ too. With two folds at least.
  std::optional<Interval> over_folds;
  std::vector<std::optional<double>> folds;
};

struct PairedRow {
  std::string learner;
  Difference log_loss, auroc;
};

struct PairedComparison {
  std::string reference;
  int replicates = 0;
  std::vector<PairedRow> rows;  // all others
};

// What one learner predicted: [fold][node·A + a] of the fold's test tree.
struct FoldPolicies {
  std::string learner;
  std::vector<std::vector<double>> policies;
};

// `reference` is one of the learners. The patients of a replicate are the same for all learners.
PairedComparison compare_in_pairs(std::span<const HistoryTree> tests, const Structure& structure,
                                  const std::vector<FoldPolicies>& learners, const std::string& reference,
                                  const BootstrapOptions& options);

}  // namespace interpole::evaluate
