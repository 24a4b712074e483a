#include "interpole/learners/observed/mb_il.hpp"

#include "interpole/learners/observed/observed_learner.hpp"
#include "interpole/learners/observed/visit_matching.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learners {
namespace {

class MbIlLearner : public ObservedLearner {
 public:
  MbIlLearner()
      : ObservedLearner("mb-il",
                        "the policy by last action and outcome whose predicted visits are those recorded, "
                        "step by step",
                        load_observed_policy) {}
  std::vector<LearnerOption> options() const override {
    return {{"prior-sd", 1.0, "of a context's log-odds around those of all decisions", 1e-3, 1e6},
            additive_option(),
            pseudo_count_option()};
  }

 protected:
  optimize::OptimizeSummary learn(const Given& given, ObservedContent& learned) const override {
    const ContextPolicy policy(given.structure, given.overall, given.values.whole("additive") != 0);
    VisitMatching objective(given.process, given.records, policy, given.values.number("prior-sd"));
    std::vector<double> x(objective.size(), 0.0);
    const auto summary = optimize::maximise(objective, x, {}, given.stop);
    learned.policy = policy.at(x);
    return summary;
  }
};

}  // namespace

const Learner& mb_il_learner() {
  static const MbIlLearner learner;
  return learner;
}

}  // namespace interpole::learners
