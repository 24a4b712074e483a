// Predicting the action taken, from the probabilities any learner gives at the histories of a tree. A
// patient's first decision is not scored: there is no history yet to predict from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/evaluate/scores/calibration.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/structure.hpp"

namespace interpole::evaluate {

// One action against all others.
struct ActionScores {
  std::string action;
  std::int64_t decisions = 0;  // scored decisions at which it was taken
  std::optional<double> brier, auroc, auprc, calibration_error;
  std::vector<CalibrationBin> calibration;
};

struct ActionMatching {
  std::int64_t decisions = 0;      // scored
  std::optional<double> log_loss;  // mean −log of the probability given to the action taken
  // Mean over the actions that occur and have the score.
  std::optional<double> brier, auroc, auprc, calibration_error;
  std::vector<ActionScores> actions;  // every action of the model
};

// Ranks the predictions once; scoring another set of counts on the same histories is then linear.
class MatchingScorer {
 public:
  // `policies` is [node·A + a]. Keeps a reference to the names and the policies.
  MatchingScorer(const HistoryTree& tree, const Structure& structure, const std::vector<double>& policies);

  // `counts`: the tree itself, or one of the same nodes with other counts. A node without decisions in the
  // tree must have none here.
  ActionMatching score(const HistoryTree& counts) const;

 private:
  ActionScores score_action(const HistoryTree& counts, int action) const;
  std::optional<double> log_loss(const HistoryTree& counts) const;

  const Structure& structure_;
  const std::vector<double>& policies_;
  std::vector<std::vector<std::int32_t>> ranked_;  // [action]: nodes with decisions, most likely first
};

ActionMatching score_actions(const HistoryTree& tree, const Structure& structure,
                             const std::vector<double>& policies);

}  // namespace interpole::evaluate
