#include "interpole/learners/features/history_features.hpp"

#include <fmt/format.h>

#include <cmath>

namespace interpole::learners {

// All that the features of a history and of those after it follow from.
struct HistoryFeatures::Past {
  int last_action = -1;
  int action_before = -1;
  int last_outcome = kMissing;
  std::vector<std::int32_t> last_known;     // [factor] level, −1: never
  std::vector<std::int32_t> action_counts;  // [action]
  std::vector<std::int32_t> level_counts;   // [level of all factors]
};

HistoryFeatures::HistoryFeatures(const Structure& structure, std::vector<PolicyCovariate> covariates)
    : actions_(structure.action_count()),
      factors_(outcome_factors(structure)),
      covariates_(std::move(covariates)) {
  first_level_.push_back(0);
  for (const auto& levels : factors_.levels) {
    first_level_.push_back(first_level_.back() + static_cast<int>(levels.size()));
  }
  name_features(structure);
}

void HistoryFeatures::name_features(const Structure& structure) {
  const auto each_action = [&](const char* what) {
    const int begin = count();
    for (const std::string& action : structure.actions) names_.push_back(fmt::format("{}: {}", what, action));
    return begin;
  };
  const auto each_level = [&](const char* what) {
    const int begin = count();
    for (int k = 0; k < factors_.count(); ++k) {
      for (const std::string& level : factors_.levels[k]) {
        const bool one = factors_.count() == 1;
        names_.push_back(one ? fmt::format("{}: {}", what, level)
                             : fmt::format("{}: {} {}", what, factors_.names[k], level));
      }
    }
    return begin;
  };
  names_.emplace_back("first decision");
  names_.emplace_back("steps");
  last_action_ = each_action("last action");
  action_before_ = each_action("action before");
  last_outcome_ = each_level("last outcome");
  names_.emplace_back("last outcome: not recorded");
  last_known_ = each_level("last known");
  action_count_ = each_action("count");
  level_count_ = each_level("count");
  covariate_ = count();
  for (const PolicyCovariate& covariate : covariates_) {
    if (covariate.categories.empty()) names_.push_back(covariate.name);
    for (const std::string& category : covariate.categories) {
      names_.push_back(fmt::format("{} = {}", covariate.name, category));
    }
  }
}

std::vector<HistoryFeatures::Past> HistoryFeatures::pasts(const HistoryTree& tree) const {
  std::vector<Past> result(tree.parent.size());
  for (int root = 0; root < tree.root_count; ++root) {
    result[root].last_known.assign(factors_.names.size(), -1);
    result[root].action_counts.assign(actions_, 0);
    result[root].level_counts.assign(first_level_.back(), 0);
  }
  for (const HistoryTree::Group& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      Past& past = result[node] = result[tree.parent[node]];
      past.action_before = past.last_action;
      past.last_action = group.action;
      past.last_outcome = group.observation;
      ++past.action_counts[group.action];
      if (group.observation == kMissing) continue;
      for (int k = 0; k < factors_.count(); ++k) {
        const int level = factors_.level_of(group.observation, k);
        ++past.level_counts[first_level_[k] + level];
        if (factors_.measures(group.action, k)) past.last_known[k] = level;
      }
    }
  }
  return result;
}

void HistoryFeatures::add_history(const Past& past, int depth, SparseRows& rows) const {
  if (past.last_action < 0) {
    rows.add(0, 1.0);
    return;
  }
  rows.add(1, depth);
  rows.add(last_action_ + past.last_action, 1.0);
  if (past.action_before >= 0) rows.add(action_before_ + past.action_before, 1.0);
  if (past.last_outcome == kMissing) rows.add(last_known_ - 1, 1.0);
  for (int k = 0; k < factors_.count(); ++k) {
    if (past.last_outcome != kMissing) {
      rows.add(last_outcome_ + first_level_[k] + factors_.level_of(past.last_outcome, k), 1.0);
    }
    if (past.last_known[k] >= 0) rows.add(last_known_ + first_level_[k] + past.last_known[k], 1.0);
  }
  for (int a = 0; a < actions_; ++a) rows.add(action_count_ + a, past.action_counts[a]);
  for (int l = 0; l < first_level_.back(); ++l) rows.add(level_count_ + l, past.level_counts[l]);
}

void HistoryFeatures::add_covariates(std::span<const double> covariates, SparseRows& rows) const {
  int at = covariate_;
  for (std::size_t c = 0; c < covariates_.size(); ++c) {
    const auto categories = static_cast<int>(covariates_[c].categories.size());
    const double x = c < covariates.size() ? covariates[c] : std::nan("");
    if (!std::isnan(x)) {
      if (categories == 0) {
        rows.add(at, (x - covariates_[c].centre) / covariates_[c].scale);
      } else if (x < categories) {  // beyond: a category it never met
        rows.add(at + static_cast<int>(x), 1.0);
      }
    }
    at += std::max(1, categories);
  }
}

SparseRows HistoryFeatures::rows(const HistoryTree& tree, std::span<const std::int32_t> nodes,
                                 const std::vector<std::span<const double>>& covariates) const {
  const std::vector<Past> past = pasts(tree);
  SparseRows result;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    add_history(past[nodes[i]], tree.depth[nodes[i]], result);
    add_covariates(covariates[i], result);
    result.end_row();
  }
  return result;
}

}  // namespace interpole::learners
