#include "interpole/learners/observed/irl.hpp"

#include "interpole/learners/observed/observed_learner.hpp"
#include "interpole/learners/observed/soft_planner.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learners {
namespace {

class IrlLearner : public ObservedLearner {
 public:
  IrlLearner()
      : ObservedLearner("irl",
                        "rewards of a soft planner who takes the last action and outcome for the state",
                        load_observed_rewards) {}
  std::vector<LearnerOption> options() const override {
    return {{"discount", 0.9, "of what comes later, per step", 0, 0.99},
            {"prior-sd", 3.0, "of rewards beforehand, normal around zero", 1e-3, 1e6},
            {"by-context", 0, "1: rewards differ with the last action too, not only with its outcome", 0, 1,
             true},
            pseudo_count_option()};
  }

 protected:
  optimize::OptimizeSummary learn(const Given& given, ObservedContent& learned) const override {
    const ObservedProcess& process = given.process;
    const RewardGroups groups(process, given.values.whole("by-context") != 0);
    learned.discount = given.values.number("discount");
    SoftRewardPosterior posterior(process, groups, given.records.decisions, learned.discount,
                                  given.values.number("prior-sd"));
    learned.rewards.assign(posterior.size(), 0.0);
    const auto summary = optimize::maximise(posterior, learned.rewards, {}, given.stop);
    learned.policy =
        plan_softly(process, groups.spread(learned.rewards, process.actions), learned.discount).policy;
    return summary;
  }
};

}  // namespace

const Learner& irl_learner() {
  static const IrlLearner learner;
  return learner;
}

}  // namespace interpole::learners
