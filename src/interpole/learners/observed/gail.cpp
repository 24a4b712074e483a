#include "interpole/learners/observed/gail.hpp"

#include <numeric>

#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/observed/fitted_observed.hpp"
#include "interpole/learners/observed/occupancy_matching.hpp"
#include "interpole/learners/simple/action_counts.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learners {
namespace {

// Decisions per record in each context, spread over actions as recorded and, where few were, as overall.
std::vector<double> expert_occupancy(const ObservedRecords& records, const std::vector<double>& overall,
                                     double smoothing) {
  const std::size_t A = overall.size();
  std::vector<double> expert;
  for (std::size_t at = 0; at < records.decisions.size(); at += A) {
    const std::span<const double> counts(&records.decisions[at], A);
    const double visits =
        std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(records.records);
    for (const double share : smoothed(counts, overall, smoothing)) expert.push_back(visits * share);
  }
  return expert;
}

class GailLearner : public NamedLearner {
 public:
  GailLearner()
      : NamedLearner("gail",
                     "the policy by last action and outcome whose occupancies cannot be told from those "
                     "recorded",
                     load_observed_policy) {}
  std::vector<LearnerOption> options() const override {
    return {{"entropy", 0.001, "weight of the policy's causal entropy", 0, 1e6},
            {"smoothing", 1.0, "imagined decisions in each context, as all decisions are spread", 1e-9, 1e9},
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
    const std::vector<double> overall = smoothed(count_actions(tree), 1.0);
    const ObservedRecords records = observed_records(tree, problem.structure);
    const std::vector<double> expert = expert_occupancy(records, overall, values.number("smoothing"));
    const ContextPolicy policy(problem.structure, overall, values.whole("additive") != 0);
    OccupancyMatching objective(process, expert, policy, static_cast<double>(records.records),
                                values.number("entropy"));
    std::vector<double> x(objective.size(), 0.0);
    const auto summary = optimize::maximise(objective, x, {}, stop);
    if (stop()) throw interrupted_learner(name());
    return std::make_unique<FittedObserved>(problem.structure, ObservedContent{policy.at(x), process.chances},
                                            search_note(summary), summary.converged);
  }
};

}  // namespace

const Learner& gail_learner() {
  static const GailLearner learner;
  return learner;
}

}  // namespace interpole::learners
