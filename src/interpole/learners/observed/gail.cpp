#include "interpole/learners/observed/gail.hpp"

#include <numeric>

#include "interpole/learners/observed/observed_learner.hpp"
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

class GailLearner : public ObservedLearner {
 public:
  GailLearner()
      : ObservedLearner("gail",
                        "the policy by last action and outcome whose occupancies cannot be told from those "
                        "recorded",
                        load_observed_policy) {}
  std::vector<LearnerOption> options() const override {
    return {{"entropy", 0.001, "weight of the policy's causal entropy", 0, 1e6},
            {"smoothing", 1.0, "imagined decisions in each context, as all decisions are spread", 1e-9, 1e9},
            additive_option(),
            pseudo_count_option()};
  }

 protected:
  optimize::OptimizeSummary learn(const Given& given, ObservedContent& learned) const override {
    const std::vector<double> expert =
        expert_occupancy(given.records, given.overall, given.values.number("smoothing"));
    const ContextPolicy policy(given.structure, given.overall, given.values.whole("additive") != 0);
    OccupancyMatching objective(given.process, expert, policy, static_cast<double>(given.records.records),
                                given.values.number("entropy"));
    std::vector<double> x(objective.size(), 0.0);
    const auto summary = optimize::maximise(objective, x, {}, given.stop);
    learned.policy = policy.at(x);
    return summary;
  }
};

}  // namespace

const Learner& gail_learner() {
  static const GailLearner learner;
  return learner;
}

}  // namespace interpole::learners
