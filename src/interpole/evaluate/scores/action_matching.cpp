#include "interpole/evaluate/scores/action_matching.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::evaluate {
namespace {

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

MatchingScorer::MatchingScorer(const HistoryTree& tree, const Structure& structure,
                               const std::vector<double>& policies)
    : structure_(structure), policies_(policies) {
  std::vector<std::int32_t> scored;
  for (std::int32_t node = tree.root_count; node < tree.node_count(); ++node) {
    if (tree.decisions_at(node) > 0) scored.push_back(node);
  }
  const std::size_t A = structure.actions.size();
  for (std::size_t a = 0; a < A; ++a) {
    ranked_.push_back(scored);
    std::stable_sort(ranked_.back().begin(), ranked_.back().end(), [&](std::int32_t x, std::int32_t y) {
      return policies[x * A + a] > policies[y * A + a];
    });
  }
}

ActionScores MatchingScorer::score_action(const HistoryTree& counts, int action) const {
  std::vector<WeightedScore> scores;
  scores.reserve(ranked_[action].size());
  double taken_in_all = 0.0;
  for (const std::int32_t node : ranked_[action]) {
    const std::size_t at = static_cast<std::size_t>(node) * counts.action_count + action;
    const auto taken = static_cast<double>(counts.action_counts[at]);
    scores.push_back({policies_[at], taken, static_cast<double>(counts.decisions_at(node)) - taken});
    taken_in_all += taken;
  }
  ActionScores result;
  result.action = structure_.actions[action];
  result.decisions = static_cast<std::int64_t>(taken_in_all);
  result.brier = brier_score(scores);
  result.auroc = area_under_roc_ranked(scores);
  result.auprc = average_precision_ranked(scores);
  result.calibration = calibration_curve(scores);
  result.calibration_error = expected_calibration_error(result.calibration);
  return result;
}

// nullopt: infinite, because an action that was taken was given no chance at all, or nothing to score.
std::optional<double> MatchingScorer::log_loss(const HistoryTree& counts) const {
  double sum = 0.0;
  double decisions = 0.0;
  const std::size_t first = static_cast<std::size_t>(counts.action_count) * counts.root_count;
  for (std::size_t at = first; at < counts.action_counts.size(); ++at) {
    const auto taken = static_cast<double>(counts.action_counts[at]);
    if (taken == 0.0) continue;
    if (policies_[at] <= 0.0) return std::nullopt;
    sum -= taken * std::log(policies_[at]);
    decisions += taken;
  }
  if (decisions == 0.0) return std::nullopt;
  return sum / decisions;
}

ActionMatching MatchingScorer::score(const HistoryTree& counts) const {
  ActionMatching result;
  for (int a = 0; a < structure_.action_count(); ++a) {
    result.actions.push_back(score_action(counts, a));
    result.decisions += result.actions.back().decisions;
  }
  result.log_loss = log_loss(counts);
  result.brier = mean_where_taken(result.actions, &ActionScores::brier);
  result.auroc = mean_where_taken(result.actions, &ActionScores::auroc);
  result.auprc = mean_where_taken(result.actions, &ActionScores::auprc);
  result.calibration_error = mean_where_taken(result.actions, &ActionScores::calibration_error);
  return result;
}

ActionMatching score_actions(const HistoryTree& tree, const Structure& structure,
                             const std::vector<double>& policies) {
  return MatchingScorer(tree, structure, policies).score(tree);
}

}  // namespace interpole::evaluate
