#include "interpole/learners/simple/majority.hpp"

#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/simple/action_counts.hpp"
#include "interpole/learners/simple/fitted_counts.hpp"

namespace interpole::learners {
namespace {

class FittedMajority : public FittedCounts {
 public:
  using FittedCounts::FittedCounts;

  std::vector<double> policies(const HistoryTree& tree) const override {
    const std::vector<double> policy = smoothed(counted().counts, counted().smoothing);
    std::vector<double> result;
    result.reserve(tree.parent.size() * policy.size());
    for (int node = 0; node < tree.node_count(); ++node) {
      result.insert(result.end(), policy.begin(), policy.end());
    }
    return result;
  }
};

std::unique_ptr<FittedLearner> load_majority(const std::string& json, const Structure& structure,
                                             const std::string& where) {
  return std::make_unique<FittedMajority>(load_counts(json, where, structure.actions.size(), "actions"));
}

class MajorityLearner : public NamedLearner {
 public:
  MajorityLearner()
      : NamedLearner("majority", "the same chances at every history: how often each action was taken",
                     load_majority) {}
  std::vector<LearnerOption> options() const override {
    return {{"smoothing", 1.0, "imagined decisions, shared by all actions alike", 1e-9, 1e9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem&,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    if (sink.stop_requested()) throw interrupted_learner(name());
    return std::make_unique<FittedMajority>(SmoothedCounts{values.number("smoothing"), count_actions(tree)});
  }
};

}  // namespace

const Learner& majority_learner() {
  static const MajorityLearner learner;
  return learner;
}

}  // namespace interpole::learners
