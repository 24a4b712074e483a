// How well a fit predicts decisions and, with the truth at hand, how well it explains them
// (docs/mathematics/scores.md). The program's `evaluate` adds intervals and single actions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "interpole/fit.hpp"

namespace interpole {

// What is not defined (no decision scored, an infinite sum) is empty.
struct Scores {
  std::int64_t decisions = 0;  // all; a patient's first is not scored
  std::optional<double> log_likelihood_of_actions, log_likelihood_of_outcomes;  // nats, summed
  std::optional<double> log_loss;  // mean −log of the probability given to the action taken
  std::optional<double> brier, auroc, auprc,
      calibration_error;  // means over actions, each against all others
  // With a truth: mean KL divergences from it, nats per decision.
  std::optional<double> belief_mismatch, policy_mismatch;
};

// `truth` may be null. Throws an input error if a record does not fit the model, or an outcome is impossible.
Scores score_fit(const FitResult& fit, std::span<const Record> records, const Model* truth = nullptr);

}  // namespace interpole
