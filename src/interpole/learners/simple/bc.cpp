#include "interpole/learners/simple/bc.hpp"

#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/simple/action_counts.hpp"
#include "interpole/learners/simple/fitted_counts.hpp"

namespace interpole::learners {
namespace {

// What the next action is predicted from: nothing yet, or the last action and its outcome (one more outcome
// stands for a missing one).
class Contexts {
 public:
  Contexts(std::size_t actions, std::size_t observations) : actions_(actions), outcomes_(observations + 1) {}

  std::size_t size() const { return 1 + actions_ * outcomes_; }
  std::size_t of(int action, int observation) const {
    return 1 + action * outcomes_ + (observation == kMissing ? outcomes_ - 1 : observation);
  }

  // [node]; the root has context 0.
  std::vector<std::size_t> of_nodes(const HistoryTree& tree) const {
    std::vector<std::size_t> result(tree.parent.size(), 0);
    for (const HistoryTree::Group& group : tree.groups) {
      std::fill(result.begin() + group.begin, result.begin() + group.end,
                of(group.action, group.observation));
    }
    return result;
  }

 private:
  std::size_t actions_, outcomes_;
};

class FittedBc : public FittedCounts {
 public:
  // [context·A + a]
  FittedBc(const Structure& structure, SmoothedCounts by_context)
      : FittedCounts(std::move(by_context)),
        actions_(structure.actions.size()),
        contexts_(actions_, structure.observations.size()) {
    const std::vector<double>& counts = counted().counts;
    std::vector<double> overall(actions_, 0.0);
    for (std::size_t i = 0; i < counts.size(); ++i) overall[i % actions_] += counts[i];
    // A context that was never seen is left to what is done overall, and that to chance.
    const std::vector<double> prior = smoothed(overall, counted().smoothing);
    for (std::size_t i = 0; i < counts.size(); i += actions_) {
      const auto policy = smoothed(std::span(&counts[i], actions_), prior, counted().smoothing);
      policy_.insert(policy_.end(), policy.begin(), policy.end());
    }
  }

  std::vector<double> policies(const HistoryTree& tree) const override {
    std::vector<double> result;
    result.reserve(tree.parent.size() * actions_);
    for (const std::size_t context : contexts_.of_nodes(tree)) {
      const auto begin = policy_.begin() + static_cast<std::ptrdiff_t>(context * actions_);
      result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(actions_));
    }
    return result;
  }

 private:
  std::size_t actions_;
  Contexts contexts_;
  std::vector<double> policy_;  // [context·A + a]
};

std::unique_ptr<FittedLearner> load_bc(const std::string& json, const Structure& structure,
                                       const std::string& where) {
  const std::size_t A = structure.actions.size();
  return std::make_unique<FittedBc>(
      structure,
      load_counts(json, where, Contexts(A, structure.observations.size()).size() * A,
                  "actions in each context (the start, then every action with every outcome or none)"));
}

class BcLearner : public NamedLearner {
 public:
  BcLearner()
      : NamedLearner("bc",
                     "behavioural cloning: the next action given the last one and its outcome, by counts",
                     load_bc) {}
  std::vector<LearnerOption> options() const override {
    return {{"smoothing", 1.0, "imagined decisions in each context, as all decisions are spread", 1e-9, 1e9}};
  }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                     const LearnerOptions& options, Sink& sink) const override {
    const OptionValues values(*this, options);
    if (sink.stop_requested()) throw interrupted_learner(name());
    const std::size_t A = problem.structure.actions.size();
    const Contexts contexts(A, problem.structure.observations.size());
    SmoothedCounts counted{values.number("smoothing"), std::vector<double>(contexts.size() * A, 0.0)};
    const std::vector<std::size_t> of_node = contexts.of_nodes(tree);
    for (std::size_t node = 0; node < of_node.size(); ++node) {
      for (std::size_t a = 0; a < A; ++a) {
        counted.counts[of_node[node] * A + a] += static_cast<double>(tree.action_counts[node * A + a]);
      }
    }
    return std::make_unique<FittedBc>(problem.structure, std::move(counted));
  }
};

}  // namespace

const Learner& bc_learner() {
  static const BcLearner learner;
  return learner;
}

}  // namespace interpole::learners
