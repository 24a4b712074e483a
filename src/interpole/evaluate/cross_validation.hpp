// Learners side by side on records they never saw: each is fitted to all folds but one and scored on that
// one, for every fold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/evaluate/folds.hpp"
#include "interpole/learners/learner.hpp"
#include "interpole/sink.hpp"

namespace interpole::evaluate {

struct FoldScores {
  std::optional<double> log_loss, brier, auroc, auprc;  // as in ActionMatching
  double seconds = 0.0;                                 // of the fit
  std::string doubt;                                    // why not to trust it; empty: it converged
};

// Over the folds in which the score is defined.
struct ScoreOverFolds {
  int folds = 0;
  std::optional<double> mean;
  std::optional<double> standard_error;  // of the mean; needs two folds
};

struct LearnerScores {
  std::string learner;
  std::vector<FoldScores> folds;
  ScoreOverFolds log_loss, brier, auroc, auprc;
  double seconds = 0.0;  // all fits
  bool converged = true;
  std::string doubt;    // "did not converge in 2 of 5 fits"
  std::string failure;  // if not empty, why the learner has no scores
};

struct CrossValidation {
  std::vector<LearnerScores> learners;  // those that were finished, in the order asked for
  bool interrupted = false;
};

struct CrossValidationOptions {
  std::uint64_t seed = 1;
  int threads = 0;
};

// A learner that cannot learn from these data (an input error) keeps its row, with the reason. If asked to
// stop, what is finished is returned.
CrossValidation cross_validate(const FoldTrees& trees, const DecisionProblem& problem,
                               const std::vector<const learners::Learner*>& learners,
                               const CrossValidationOptions& options, Sink& sink);

}  // namespace interpole::evaluate
