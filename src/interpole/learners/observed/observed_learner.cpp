#include "interpole/learners/observed/observed_learner.hpp"

#include "interpole/learners/simple/action_counts.hpp"

namespace interpole::learners {

std::unique_ptr<FittedLearner> ObservedLearner::fit(const HistoryTree& tree, const DecisionProblem& problem,
                                                    const LearnerOptions& options, Sink& sink) const {
  const OptionValues values(*this, options);
  const std::function<bool()> stop = [&] { return sink.stop_requested(); };
  if (stop()) throw interrupted_learner(name());
  const ObservedProcess process = observed_process(tree, problem.structure, values.number("pseudo-count"));
  const ObservedRecords records = observed_records(tree, problem.structure);
  const std::vector<double> overall = smoothed(count_actions(tree), 1.0);
  ObservedContent learned{{}, process.chances};
  const auto summary = learn({problem.structure, values, process, records, overall, stop}, learned);
  if (stop()) throw interrupted_learner(name());
  return std::make_unique<FittedObserved>(problem.structure, std::move(learned), search_note(summary),
                                          summary.converged);
}

LearnerOption pseudo_count_option() {
  return {"pseudo-count", 1.0, "imagined outcomes in each context, as all outcomes of the action are spread",
          1e-9, 1e9};
}

LearnerOption additive_option() {
  return {"additive", 0, "1: last action and last outcome contribute apart from each other", 0, 1, true};
}

}  // namespace interpole::learners
