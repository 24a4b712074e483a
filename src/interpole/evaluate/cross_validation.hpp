// Learners side by side on records they never saw: each is fitted to all folds but one and scored on that
// one, for every fold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/evaluate/folds.hpp"
#include "interpole/evaluate/intervals.hpp"
#include "interpole/evaluate/paired.hpp"
#include "interpole/learners/learner.hpp"
#include "interpole/sink.hpp"

namespace interpole::evaluate {

struct FoldScores {
  std::optional<double> log_loss, brier, auroc, auprc, calibration_error;  // as in ActionMatching
  std::optional<double> first_steps;  // total variation of the first steps (scores/first_steps.hpp)
  double seconds = 0.0;               // of the fit
  std::string doubt;                  // why not to trust it; empty: it converged
};

// Over the folds in which the score is defined.
struct ScoreOverFolds {
  int folds = 0;
  std::optional<double> mean;
  std::optional<double> standard_error;  // of the mean; from here on with two folds at least
  std::optional<double> reach;           // half of its 95% interval, by Student's t over folds
  std::optional<Interval> interval;      // the same, cut to what the score can be
};

struct LearnerScores {
  std::string learner;
  std::vector<FoldScores> folds;
  ScoreOverFolds log_loss, brier, auroc, auprc, calibration_error, first_steps;
  double seconds = 0.0;  // all fits
  bool converged = true;
  std::string doubt;    // "did not converge in 2 of 5 fits"
  std::string failure;  // if not empty, why the learner has no scores
};

struct CrossValidation {
  std::vector<LearnerScores> learners;  // those that were finished, in the order asked for
  // Each learner less the reference, on the same patients; with two learners at least.
  std::optional<PairedComparison> paired;
  bool interrupted = false;
};

struct CrossValidationOptions {
  std::uint64_t seed = 1;
  int threads = 0;
  std::string reference;  // learner that others are compared with; empty: the one with the least log-loss
  int replicates = 200;   // of patients, for intervals of differences
};

// A learner that cannot learn from these data (an input error) keeps its row, with the reason. If asked to
// stop, what is finished is returned. Usage error for a reference that is not among the learners.
CrossValidation cross_validate(const FoldTrees& trees, const DecisionProblem& problem,
                               const std::vector<const learners::Learner*>& learners,
                               const CrossValidationOptions& options, Sink& sink);

}  // namespace interpole::evaluate
