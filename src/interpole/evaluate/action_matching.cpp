#include "interpole/evaluate/action_matching.hpp"

#include <cmath>

#include "interpole/evaluate/scores.hpp"

namespace interpole {
namespace {

std::vector<WeightedScore> one_against_all(const HistoryTree& tree, const std::vector<double>& policies,
                                           int action) {
  std::vector<WeightedScore> scores;
  for (int node = 1; node < tree.node_count(); ++node) {
    const std::int64_t decisions = tree.decisions_at(node);
    if (decisions == 0) continue;
    const std::size_t at = static_cast<std::size_t>(node) * tree.action_count + action;
    const std::int64_t taken = tree.action_counts[at];
    scores.push_back({policies[at], static_cast<double>(taken), static_cast<double>(decisions - taken)});
  }
  return scores;
}

// Mean −log π of the actions taken. nullopt: infinite, because one was given no chance at all, or nothing to
// score.
std::optional<double> log_loss(const HistoryTree& tree, const std::vector<double>& policies) {
  double sum = 0.0;
  double decisions = 0.0;
  for (std::size_t at = tree.action_count; at < tree.action_counts.size(); ++at) {  // the root is left out
    const auto taken = static_cast<double>(tree.action_counts[at]);
    if (taken == 0.0) continue;
    if (policies[at] <= 0.0) return std::nullopt;
    sum -= taken * std::log(policies[at]);
    decisions += taken;
  }
  if (decisions == 0.0) return std::nullopt;
  return sum / decisions;
}

std::optional<double> mean_where_taken(const std::vector<ActionScores>& actions,
                                       std::optional<double> ActionScores::*score) {
  double sum = 0.0;
  int count = 0;
  for (const ActionScores& action : actions) {
    if (action.decisions == 0 || !(action.*score)) continue;
    sum += *(action.*score);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

ActionMatching match_actions(const HistoryTree& tree, const Structure& structure,
                             const std::vector<double>& policies) {
  ActionMatching result;
  for (int a = 0; a < structure.action_count(); ++a) {
    const std::vector<WeightedScore> scores = one_against_all(tree, policies, a);
    double taken = 0.0;
    for (const WeightedScore& score : scores) taken += score.positive;
    result.actions.push_back({structure.actions[a], static_cast<std::int64_t>(taken), brier_score(scores),
                              area_under_roc(scores), average_precision(scores)});
    result.decisions += result.actions.back().decisions;
  }
  result.log_loss = log_loss(tree, policies);
  result.brier = mean_where_taken(result.actions, &ActionScores::brier);
  result.auroc = mean_where_taken(result.actions, &ActionScores::auroc);
  result.auprc = mean_where_taken(result.actions, &ActionScores::auprc);
  return result;
}

}  // namespace interpole
