// Everything `interpole evaluate` reports about a model on a data set; with the truth at hand, also how far
// the model is from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/data/history_tree.hpp"
#include "interpole/evaluate/mismatch.hpp"
#include "interpole/evaluate/stopping_time.hpp"
#include "interpole/model/parameters.hpp"

namespace interpole {

struct EvaluationOptions {
  StoppingTimeOptions stopping_time;  // used with a truth only

  void validate() const { stopping_time.validate(); }
};

// Natural logarithms, summed over all records. Actions follow the agent; outcomes follow the world where the
// model states one, else the agent's dynamics.
struct DataLogLikelihood {
  double actions = 0.0;
  double observations = 0.0;
  double total = 0.0;
};

// One action against all others.
struct ActionScores {
  std::string action;
  std::int64_t decisions = 0;  // scored decisions at which it was taken
  std::optional<double> brier, auroc, auprc;
};

// Predicting the action taken. A patient's first decision is not scored: there is no history yet to predict
// from.
struct ActionMatching {
  std::int64_t decisions = 0;                 // scored
  std::optional<double> log_loss;             // mean −log of the probability given to the action taken
  std::optional<double> brier, auroc, auprc;  // mean over the actions that occur and have the score
  std::vector<ActionScores> actions;          // every action of the model
};

// An outcome in the data that has probability zero.
struct ImpossibleOutcome {
  std::string whose;  // "the model", "the model's world" or "the truth"
  std::int32_t node = 0;
  std::int32_t step = 0;  // from 1: at which the outcome was seen
  std::int32_t action = 0;
  std::int32_t observation = kMissing;
  std::int64_t record = 0;  // the first record concerned, in the order of the data
};

struct Evaluation {
  std::int64_t patients = 0;
  std::int64_t decisions = 0;
  // If set, nothing below it is.
  std::optional<ImpossibleOutcome> impossible;
  DataLogLikelihood log_likelihood;
  ActionMatching matching;
  // With a truth only.
  std::optional<Mismatch> mismatch;
  std::optional<StoppingTimeError> stopping_time;
};

// `truth` may be null. O(nodes · (S² + A·S)), serial.
Evaluation evaluate_model(const HistoryTree& tree, const Model& model, const Model* truth = nullptr,
                          const EvaluationOptions& options = {});

}  // namespace interpole
