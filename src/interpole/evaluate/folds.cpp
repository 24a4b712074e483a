#include "interpole/evaluate/folds.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "interpole/base/random.hpp"
#include "interpole/error.hpp"

namespace interpole::evaluate {
FoldBuilder::FoldBuilder(int action_count, int folds, std::uint64_t seed, const std::vector<int>& start_by)
    : folds_(folds), seed_(seed), order_(folds > 0 ? folds : 0), all_(action_count) {
  if (folds < 2) throw usage_error(fmt::format("option folds: {} is below 2; ask for at least two", folds));
  train_.assign(folds, HistoryTreeBuilder(action_count, true, RecordClasses::kTogether, start_by));
  test_.assign(folds, HistoryTreeBuilder(action_count, true, RecordClasses::kApart));
}

void FoldBuilder::forget_order() {
  all_.forget_order();
  for (int fold = 0; fold < folds_; ++fold) {
    train_[fold].forget_order();
    test_[fold].forget_order();
  }
}

void FoldBuilder::add(std::span<const Step> record, std::span<const double> covariates, std::int64_t count) {
  for (; count > 0 && records_ % folds_ != 0; --count) deal(record, covariates);
  // Of as many as there are folds each fold gets one, in whatever order.
  if (const std::int64_t each = count / folds_; each > 0) {
    all_.add(record, each * folds_);
    for (int fold = 0; fold < folds_; ++fold) {
      test_[fold].set_covariates(covariates);
      test_[fold].add(record, each);
      train_[fold].set_covariates(covariates);
      train_[fold].add(record, each * (folds_ - 1));
    }
    records_ += each * folds_;
  }
  for (count %= folds_; count > 0; --count) deal(record, covariates);
}

void FoldBuilder::deal(std::span<const Step> record, std::span<const double> covariates) {
  const auto place = static_cast<int>(records_ % folds_);
  if (place == 0) {
    std::iota(order_.begin(), order_.end(), 0);
    base::RandomStream random(seed_, records_ / folds_, base::RandomPurpose::kFold);
    for (int i = folds_ - 1; i > 0; --i) {
      std::swap(order_[i], order_[static_cast<int>(random.uniform() * (i + 1))]);
    }
  }
  ++records_;
  all_.add(record);
  for (int fold = 0; fold < folds_; ++fold) {
    HistoryTreeBuilder& builder = (fold == order_[place] ? test_ : train_)[fold];
    builder.set_covariates(covariates);
    builder.add(record);
  }
}

FoldTrees FoldBuilder::build() {
  if (records_ < folds_) {
    throw usage_error(fmt::format(
        "option folds: {} folds need as many patients, and there are {}; ask for fewer", folds_, records_));
  }
  FoldTrees trees;
  trees.all = all_.build();
  for (int fold = 0; fold < folds_; ++fold) {
    trees.train.push_back(train_[fold].build());
    trees.test.push_back(test_[fold].build());
  }
  return trees;
}

}  // namespace interpole::evaluate
