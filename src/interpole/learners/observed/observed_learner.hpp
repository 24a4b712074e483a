// What the learners on the observed process share: records are counted, a smooth objective is climbed, and a
// policy by context is what they have learned.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "interpole/learners/learner.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/observed/fitted_observed.hpp"
#include "interpole/learners/observed/observed_process.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::learners {

class ObservedLearner : public NamedLearner {
 public:
  using NamedLearner::NamedLearner;
  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const final;

 protected:
  struct Given {
    const Structure& structure;
    const OptionValues& values;
    const ObservedProcess& process;
    const ObservedRecords& records;
    const std::vector<double>& overall;  // the share of each action, smoothed
    const std::function<bool()>& stop;
  };
  // Writes the policy (and rewards) to `learned`, which has the chances of the process.
  virtual optimize::OptimizeSummary learn(const Given& given, ObservedContent& learned) const = 0;
};

LearnerOption pseudo_count_option();
LearnerOption additive_option();

}  // namespace interpole::learners
