#include "interpole/evaluate/folds.hpp"

#include <gtest/gtest.h>

namespace interpole::evaluate {
namespace {

const std::vector<std::vector<Step>> kSequences = {{{0, 0}}, {{0, 1}, {1, 0}}, {{1, kMissing}}};

void expect_alike(const std::vector<HistoryTree>& x, const std::vector<HistoryTree>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].records, y[i].records) << i;
    EXPECT_EQ(x[i].parent, y[i].parent) << i;
    EXPECT_EQ(x[i].action_counts, y[i].action_counts) << i;
    EXPECT_EQ(x[i].classes.action_counts, y[i].classes.action_counts) << i;
    EXPECT_EQ(x[i].root_covariates, y[i].root_covariates) << i;
  }
}

TEST(Folds, CountsAreDealtAsIfEachRecordCameByItself) {
  for (const auto& counts :
       std::vector<std::vector<std::int64_t>>{{1, 1, 1}, {7, 2, 30}, {3, 100, 4}, {5, 5, 1}}) {
    FoldBuilder at_once(2, 3, 9);
    FoldBuilder one_by_one(2, 3, 9);
    at_once.forget_order();
    one_by_one.forget_order();
    for (std::size_t i = 0; i < kSequences.size(); ++i) {
      const std::vector<double> covariates = {static_cast<double>(i % 2)};
      at_once.add(kSequences[i], covariates, counts[i]);
      for (std::int64_t n = 0; n < counts[i]; ++n) one_by_one.add(kSequences[i], covariates);
    }
    const FoldTrees x = at_once.build();
    const FoldTrees y = one_by_one.build();
    expect_alike({x.all}, {y.all});
    expect_alike(x.train, y.train);
    expect_alike(x.test, y.test);
  }
}

TEST(Folds, EveryRecordIsHeldOutOnce) {
  FoldBuilder builder(2, 4, 1);
  for (const auto& sequence : kSequences) builder.add(sequence, {}, 5);
  const FoldTrees trees = builder.build();
  std::int64_t held_out = 0;
  for (int fold = 0; fold < 4; ++fold) {
    held_out += trees.test[fold].records;
    EXPECT_EQ(trees.train[fold].records + trees.test[fold].records, 15);
  }
  EXPECT_EQ(held_out, 15);
}

}  // namespace
}  // namespace interpole::evaluate
