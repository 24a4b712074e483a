// What differs between groups: nothing, their patients, the picture that decision-makers have of them, their
// policy, or several of these. Every hypothesis is weighed by its evidence, τ averaged over its prior
// (docs/mathematics/groups.md).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "interpole/learn/groups/grouped_posterior.hpp"
#include "interpole/optimize/lbfgs.hpp"

namespace interpole::learn {

struct GroupHypothesis {
  bool patients = false;
  bool picture = false;
  bool policy = false;
  bool patients_known = true;  // to those who decide (GroupScales)

  bool has(GroupCause cause) const;
  bool none() const { return !patients && !picture && !policy; }
  int causes() const { return (patients ? 1 : 0) + (picture ? 1 : 0) + (policy ? 1 : 0); }
  bool operator==(const GroupHypothesis&) const = default;
};

struct WeighedHypothesis {
  GroupHypothesis what;
  double log_prior = 0.0;     // half for "nothing differs", the rest even among what may differ
  double log_evidence = 0.0;  // τ averaged over its prior
  GroupScales scales;         // τ of the highest evidence
  std::vector<double> mode;   // there, density of coordinates
  bool proper = true;         // it is a maximum

  struct OfCause {
    GroupCause cause = GroupCause::kPolicy;
    std::vector<ScaleOption> options;
    std::vector<double> log_evidence;  // of each, the other causes' at their best
  };
  std::vector<OfCause> causes;
};

// All hypotheses, those with fewer causes first; the first is that nothing differs. `policy_alone`: this and
// that policies differ, no others.
std::vector<GroupHypothesis> group_hypotheses(bool policy_alone = false);

class HypothesisSearch {
 public:
  // Keeps references to all but the starts. `common`: ends of searches in which groups are alike; `own`:
  // where each group by itself would be, in the coordinates of GroupSpace::own(); without it, only whether
  // policies differ is asked.
  HypothesisSearch(const std::vector<const inference::Likelihood*>& likelihoods,
                   const DecisionProblem& problem, const CouplingScales& coupling,
                   const optimize::LbfgsOptions& options, std::vector<AgentWorld> common,
                   std::vector<std::vector<double>> own);

  // All of them. `done` is called after each; results do not depend on `threads`.
  std::vector<WeighedHypothesis> weigh(int threads, const std::function<void()>& done) const;

  std::unique_ptr<GroupedPosterior> posterior(const GroupScales& scales,
                                              Measure measure = Measure::kCoordinates) const;
  // The mode with other τ, from that of a hypothesis.
  std::vector<double> mode_from(const WeighedHypothesis& from, GroupedPosterior& at) const;

 private:
  WeighedHypothesis weigh_one(const GroupHypothesis& what,
                              const std::vector<WeighedHypothesis>& simpler) const;
  // From one start, in a space where everything of the hypothesis may deviate.
  WeighedHypothesis climb(const GroupHypothesis& what, GroupedPosterior& wide,
                          std::span<const double> start) const;

  std::vector<const inference::Likelihood*> likelihoods_;
  const DecisionProblem& problem_;
  const CouplingScales& coupling_;
  const optimize::LbfgsOptions& options_;
  std::vector<AgentWorld> common_;
  std::vector<std::vector<double>> own_;
  std::vector<double> weights_;  // of groups: their shares of the records
};

}  // namespace interpole::learn
