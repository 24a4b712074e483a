#include "interpole/learners/observed/mb_il.hpp"

#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/observed/fitted_observed.hpp"
#include "interpole/learners/observed/visit_matching.hpp"
#include "interpole/learners/simple/action_counts.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learners {
namespace {

class MbIlLearner : public NamedLearner {
 public:
  MbIlLearner()
      : NamedLearner("mb-il",
                     "the policy by last action and outcome whose predicted visits are those recorded, step "
                     "by step",
                     load_observed_policy) {}
  std::vector<LearnerOption> options() const override {
    return {{"prior-sd", 1.0, "of a context's log-odds around those of all decisions", 1e-3, 1e6},
            {"additive", 0, "1: last action and last outcome contribute apart from each other", 0, 1, true},
            {"pseudo-count", 1.0,
             "imagined outcomes in each context, as all outcomes of the action are spread", 1e-9, 1e9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    const auto stop = [&] { return sink.stop_requested(); };
    if (stop()) throw interrupted_learner(name());
    const ObservedProcess process = observed_process(tree, problem.structure, values.number("pseudo-count"));
    const ObservedRecords records = observed_records(tree, problem.structure);
    const ContextPolicy policy(problem.structure, smoothed(count_actions(tree), 1.0),
                               values.whole("additive") != 0);
    VisitMatching objective(process, records, policy, values.number("prior-sd"));
    std::vector<double> x(objective.size(), 0.0);
    const auto summary = optimize::maximise(objective, x, {}, stop);
    if (stop()) throw interrupted_learner(name());
    return std::make_unique<FittedObserved>(problem.structure, ObservedContent{policy.at(x), process.chances},
                                            search_note(summary), summary.converged);
  }
};

}  // namespace

const Learner& mb_il_learner() {
  static const MbIlLearner learner;
  return learner;
}

}  // namespace interpole::learners
