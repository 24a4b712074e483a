// What learners on the observed process have learned: a policy by context, the moves it was learned with and,
// of IRL, the rewards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpole/learners/learner.hpp"
#include "interpole/learners/observed/observed_process.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::learners {

struct ObservedContent {
  std::vector<double> policy;   // [x·A + a]
  std::vector<double> chances;  // [(x·A + a)·outcomes + z]
  // Of IRL: [group·A + a], of the outcome seen last (start, every outcome, none recorded) or of each context.
  std::vector<double> rewards{};
  double discount = 0.0;
};

class FittedObserved : public FittedLearner {
 public:
  FittedObserved(const Structure& structure, ObservedContent content, std::string fit_note, bool converged);
  std::vector<double> policies(const HistoryTree& tree) const override;
  std::string to_json() const override;
  std::string fit_note() const override { return fit_note_; }
  bool converged() const override { return converged_; }

 private:
  ActionContexts contexts_;
  std::size_t actions_, outcomes_;
  ObservedContent content_;
  std::string fit_note_;
  bool converged_;
};

// "converged after 31 iterations"
std::string search_note(const optimize::OptimizeSummary& summary);

std::unique_ptr<FittedLearner> load_observed_policy(const std::string& json, const Structure& structure,
                                                    const std::string& where);
std::unique_ptr<FittedLearner> load_observed_rewards(const std::string& json, const Structure& structure,
                                                     const std::string& where);

}  // namespace interpole::learners
