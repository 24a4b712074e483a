#include "interpole/learners/observed/irl.hpp"

#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/observed/fitted_observed.hpp"
#include "interpole/learners/observed/soft_planner.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learners {
namespace {

class IrlLearner : public NamedLearner {
 public:
  IrlLearner()
      : NamedLearner("irl", "rewards of a soft planner who takes the last action and outcome for the state",
                     load_observed_rewards) {}
  std::vector<LearnerOption> options() const override {
    return {{"discount", 0.9, "of what comes later, per step", 0, 0.99},
            {"prior-sd", 3.0, "of rewards beforehand, normal around zero", 1e-3, 1e6},
            {"by-context", 0, "1: rewards differ with the last action too, not only with its outcome", 0, 1,
             true},
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
    const RewardGroups groups(process, values.whole("by-context") != 0);
    ObservedContent learned{{}, process.chances, {}, values.number("discount")};
    SoftRewardPosterior posterior(process, groups, records.decisions, learned.discount,
                                  values.number("prior-sd"));
    learned.rewards.assign(posterior.size(), 0.0);
    const auto summary = optimize::maximise(posterior, learned.rewards, {}, stop);
    if (stop()) throw interrupted_learner(name());
    learned.policy =
        plan_softly(process, groups.spread(learned.rewards, process.actions), learned.discount).policy;
    return std::make_unique<FittedObserved>(problem.structure, std::move(learned), search_note(summary),
                                            summary.converged);
  }
};

}  // namespace

const Learner& irl_learner() {
  static const IrlLearner learner;
  return learner;
}

}  // namespace interpole::learners
