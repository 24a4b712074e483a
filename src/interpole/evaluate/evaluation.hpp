// Everything `interpole evaluate` reports about a model, or any other learner, on a data set; with the truth
// at hand, also how far it is from the truth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/evaluate/intervals.hpp"
#include "interpole/evaluate/scores/action_matching.hpp"
#include "interpole/evaluate/scores/mismatch.hpp"
#include "interpole/evaluate/scores/stopping_time.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/learners/learner.hpp"
#include "interpole/parameters.hpp"

namespace interpole::evaluate {

struct EvaluationOptions {
  StoppingTimeOptions stopping_time;  // used with a truth only
  BootstrapOptions bootstrap;

  void validate() const {
    stopping_time.validate();
    bootstrap.validate();
  }
};

// Natural logarithms, summed over all records. Actions follow the agent; outcomes follow the world where the
// model states one, else the agent's dynamics. nullopt: infinite (actions), or the learner says nothing of
// outcomes.
struct DataLogLikelihood {
  std::optional<double> actions;
  std::optional<double> observations;
  std::optional<double> total;
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
  // If any replicates were asked for.
  std::optional<EvaluationIntervals> intervals;
};

// `truth` may be null. O(nodes · (S² + A·S)), serial but for the bootstrap, which the sink can stop.
Evaluation evaluate_model(const HistoryTree& tree, const Model& model, const Model* truth = nullptr,
                          const EvaluationOptions& options = {}, const Sink& sink = quiet_sink());

// The same of any learner fitted to this structure. A learner that is a model is evaluated as one. Belief
// mismatch: if the learner has beliefs.
Evaluation evaluate_learner(const HistoryTree& tree, const Structure& structure,
                            const learners::FittedLearner& learner, const Model* truth = nullptr,
                            const EvaluationOptions& options = {}, const Sink& sink = quiet_sink());

}  // namespace interpole::evaluate
