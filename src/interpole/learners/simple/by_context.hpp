// Learners that count: the next action given what was last done, and perhaps what it yielded.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

enum class ContextOf { kLastAction, kLastActionAndOutcome };

// What the next action is predicted from: nothing yet, or the last action, with its outcome or without (one
// more outcome stands for a missing one).
class ActionContexts {
 public:
  ActionContexts(const Structure& structure, ContextOf of)
      : actions_(structure.actions.size()),
        outcomes_(of == ContextOf::kLastAction ? 1 : structure.observations.size() + 1) {}

  std::size_t size() const { return 1 + actions_ * outcomes_; }
  std::size_t of(int action, int observation) const {
    const std::size_t outcome = outcomes_ == 1 ? 0 : observation == kMissing ? outcomes_ - 1 : observation;
    return 1 + action * outcomes_ + outcome;
  }
  // [node]; a root has context 0.
  std::vector<std::size_t> of_nodes(const HistoryTree& tree) const;

 private:
  std::size_t actions_, outcomes_;
};

// One option: smoothing.
class ByContextLearner : public NamedLearner {
 public:
  ByContextLearner(std::string name, std::string description, Loader loader, ContextOf of)
      : NamedLearner(std::move(name), std::move(description), loader), of_(of) {}
  std::vector<LearnerOption> options() const override;
  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override;

 private:
  ContextOf of_;
};

std::unique_ptr<FittedLearner> load_by_context(const std::string& json, const Structure& structure,
                                               const std::string& where, ContextOf of);

}  // namespace interpole::learners
