// A model beside learners that know nothing of beliefs, on records that none of them saw: what they foresee
// and the model does not is in the records, and the model has no place for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/evaluate/folds.hpp"
#include "interpole/evaluate/paired.hpp"
#include "interpole/fit.hpp"
#include "interpole/problem.hpp"
#include "interpole/sink.hpp"

namespace interpole::evaluate {

// A rival shakes a model if it is better beyond chance and by more than this share of what the model gains
// over knowing how common each action is.
inline constexpr double kWorthMentioning = 0.05;

struct Rival {
  std::string learner;
  Difference log_loss, auroc;        // the rival's less the model's, on the same records
  std::optional<double> gain_share;  // how much lower its log-loss is, as a share of the model's gain
  bool clearly_better = false;
  std::string failure;  // why it has no scores; empty: it has
  std::string sentence;
};

struct HeldOutRivals {
  int folds = 0;
  std::optional<double> log_loss;  // of the model, mean over folds
  std::optional<double> majority;  // of knowing how common each action is
  std::vector<Rival> rivals;
  std::string not_compared;  // why there are none

  bool failed() const;
};

struct HeldOutOptions {
  // By name (learners/registry): a recurrent network, plain regression, the previous action.
  std::vector<std::string> rivals = {"r-bc", "logistic", "previous-action"};
  std::uint64_t seed = 1;
  int threads = 0;
};

// The model is climbed again on all folds but one, its terms and σ as they are; rivals are fitted to the same
// records (`problem`: as a study states it). Throws Error(kInterrupted) if asked to stop.
HeldOutRivals compare_with_rivals(const FitResult& fit, const FoldTrees& trees,
                                  const DecisionProblem& problem, const HeldOutOptions& options, Sink& sink);

}  // namespace interpole::evaluate
