// Cross-validation by patient: every record is held out once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpole/history_tree.hpp"

namespace interpole::evaluate {

struct FoldTrees {
  HistoryTree all;
  std::vector<HistoryTree> train, test;  // [fold]; in test trees, classes of records are apart
};

// Takes records one at a time. Of every `folds` consecutive records each goes to another fold, in an order
// drawn from the seed.
class FoldBuilder {
 public:
  // `start_by`: the covariates, by place, with which starting beliefs may differ.
  FoldBuilder(int action_count, int folds, std::uint64_t seed, const std::vector<int>& start_by = {});
  // `covariates`: what a policy may follow; for every record or for none.
  // `count`: so many alike, which are dealt as if each had been added by itself.
  void add(std::span<const Step> record, std::span<const double> covariates = {}, std::int64_t count = 1);
  // Records are added in no order that means anything.
  void forget_order();
  // Throws a usage error if there are fewer records than folds.
  FoldTrees build();

 private:
  void deal(std::span<const Step> record, std::span<const double> covariates);

  int folds_;
  std::uint64_t seed_;
  std::int64_t records_ = 0;
  std::vector<int> order_;  // of the current run of records
  HistoryTreeBuilder all_;
  std::vector<HistoryTreeBuilder> train_, test_;
};

}  // namespace interpole::evaluate
