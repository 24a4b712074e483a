// Decisions dealt into folds by patient. A history tree holds no records, but a record is told by its last
// decision: how many end at a history with an action is that action's count less the decisions that follow
// it. Where records are told apart by covariates, each class is dealt by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/inference/decision_cells.hpp"

namespace interpole::learners {

struct DealtPatients {
  std::int64_t patients = 0;                // with a decision
  std::vector<std::vector<double>> counts;  // [fold][cell·A + a]; they add up to those of the cells
};

// Of every `folds` consecutive patients each goes to another fold, in an order drawn from the seed.
DealtPatients deal_patients(const HistoryTree& tree, const inference::DecisionCells& cells, int folds,
                            std::uint64_t seed);

}  // namespace interpole::learners
