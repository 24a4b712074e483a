#include "interpole/learners/simple/by_context.hpp"

#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/simple/action_counts.hpp"
#include "interpole/learners/simple/fitted_counts.hpp"

namespace interpole::learners {
namespace {

class FittedByContext : public FittedCounts {
 public:
  // [context·A + a]
  FittedByContext(const Structure& structure, ContextOf of, SmoothedCounts by_context)
      : FittedCounts(std::move(by_context)), actions_(structure.actions.size()), contexts_(structure, of) {
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
  ActionContexts contexts_;
  std::vector<double> policy_;  // [context·A + a]
};

}  // namespace

std::vector<std::size_t> ActionContexts::of_nodes(const HistoryTree& tree) const {
  std::vector<std::size_t> result(tree.parent.size(), 0);
  for (const HistoryTree::Group& group : tree.groups) {
    std::fill(result.begin() + group.begin, result.begin() + group.end, of(group.action, group.observation));
  }
  return result;
}

std::vector<LearnerOption> ByContextLearner::options() const {
  return {{"smoothing", 1.0, "imagined decisions in each context, as all decisions are spread", 1e-9, 1e9}};
}

std::unique_ptr<FittedLearner> ByContextLearner::fit(const HistoryTree& tree, const DecisionProblem& problem,
                                                     const LearnerOptions& options, Sink& sink) const {
  const OptionValues values(*this, options);
  if (sink.stop_requested()) throw interrupted_learner(name());
  const std::size_t A = problem.structure.actions.size();
  const ActionContexts contexts(problem.structure, of_);
  SmoothedCounts counted{values.number("smoothing"), std::vector<double>(contexts.size() * A, 0.0)};
  const std::vector<std::size_t> of_node = contexts.of_nodes(tree);
  for (std::size_t node = 0; node < of_node.size(); ++node) {
    for (std::size_t a = 0; a < A; ++a) {
      counted.counts[of_node[node] * A + a] += static_cast<double>(tree.action_counts[node * A + a]);
    }
  }
  return std::make_unique<FittedByContext>(problem.structure, of_, std::move(counted));
}

std::unique_ptr<FittedLearner> load_by_context(const std::string& json, const Structure& structure,
                                               const std::string& where, ContextOf of) {
  const std::size_t size = ActionContexts(structure, of).size() * structure.actions.size();
  const char* what =
      of == ContextOf::kLastAction
          ? "actions in each context (the start, then every last action)"
          : "actions in each context (the start, then every action with every outcome or none)";
  return std::make_unique<FittedByContext>(structure, of, load_counts(json, where, size, what));
}

}  // namespace interpole::learners
