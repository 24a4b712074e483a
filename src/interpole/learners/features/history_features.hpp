// A history as numbers: what a plain regression can know of it. All follow from the steps so far and the
// record's covariates; none looks ahead.
//
//   first decision, steps                  1 at the start; decisions before this one
//   last action, action before             one of each
//   last outcome                           by level of each of its factors; or not recorded
//   last known                             the level of each factor when it was last measured and recorded
//   count of …                             each action, each level of each factor
//   covariates                             one of the categories, or the number in its own units of spread
//
// Outcomes that are made of factors ("normal | below") are taken apart (interpole/outcome_factors.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/outcome_factors.hpp"
#include "interpole/parameters.hpp"

namespace interpole::learners {

// Rows of numbers most of which are zero. No feature is twice in a row.
struct SparseRows {
  std::vector<std::size_t> begin = {0};  // entries of row i: begin[i] … begin[i + 1] − 1
  std::vector<std::int32_t> feature;
  std::vector<double> value;

  std::size_t size() const { return begin.size() - 1; }
  void add(int feature_index, double x) {
    if (x == 0.0) return;
    feature.push_back(feature_index);
    value.push_back(x);
  }
  void end_row() { begin.push_back(feature.size()); }
};

class HistoryFeatures {
 public:
  HistoryFeatures(const Structure& structure, std::vector<PolicyCovariate> covariates);

  int count() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<PolicyCovariate>& covariates() const { return covariates_; }

  // One row for each of these histories of the tree, with the covariates of row i of `covariates` (those that
  // are not known, or not there, are left out). O(nodes · (actions + levels)).
  SparseRows rows(const HistoryTree& tree, std::span<const std::int32_t> nodes,
                  const std::vector<std::span<const double>>& covariates) const;

 private:
  struct Past;
  std::vector<Past> pasts(const HistoryTree& tree) const;
  void add_history(const Past& past, int depth, SparseRows& rows) const;
  void add_covariates(std::span<const double> covariates, SparseRows& rows) const;
  void name_features(const Structure& structure);

  int actions_ = 0;
  OutcomeFactors factors_;
  std::vector<int> first_level_;  // [factor] among the levels of all factors; one entry more
  std::vector<PolicyCovariate> covariates_;
  std::vector<std::string> names_;
  // Where each kind of feature begins.
  int last_action_ = 0, action_before_ = 0, last_outcome_ = 0, last_known_ = 0, action_count_ = 0,
      level_count_ = 0, covariate_ = 0;
};

}  // namespace interpole::learners
