// A planner who errs, on the observed process:
//   Q(x, a) = r(x, a) + γ Σ_z P(z|x,a) V(a, z)     V(x) = log Σ_a exp Q(x, a)     π(a|x) = exp(Q(x, a) −
//   V(x))
// (maximum causal entropy; after a terminal action V = 0). Soft value iteration is a contraction by γ. And
// the log-posterior of rewards given decisions, with its exact gradient by the adjoint of the fixed point.
#pragma once

#include <span>
#include <vector>

#include "interpole/learners/observed/observed_process.hpp"
#include "interpole/optimize/objective.hpp"

namespace interpole::learners {

struct SoftPlan {
  std::vector<double> values;  // V, [x]
  std::vector<double> policy;  // [x·A + a]
};

// `rewards` is [x·A + a]; 0 ≤ discount < 1. `values` may hold a guess to begin with.
SoftPlan plan_softly(const ObservedProcess& process, std::span<const double> rewards, double discount,
                     std::vector<double> values = {});

// Which rewards are one number. Of a context: its outcome and the next action, whatever was done before; or
// every context by itself.
class RewardGroups {
 public:
  RewardGroups(const ObservedProcess& process, bool by_context);
  int count() const { return count_; }
  int of(int context) const { return group_[context]; }
  // [group·A + a] → [x·A + a]
  std::vector<double> spread(std::span<const double> rewards, int actions) const;

 private:
  std::vector<int> group_;
  int count_;
};

// Coordinates: rewards [group·A + a]. Σ n log π − ½ Σ r²/sd².
class SoftRewardPosterior : public optimize::Objective {
 public:
  // Keeps references. `decisions` is [x·A + a].
  SoftRewardPosterior(const ObservedProcess& process, const RewardGroups& groups,
                      std::span<const double> decisions, double discount, double prior_sd);
  int size() const override { return groups_.count() * process_.actions; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override;

 private:
  const ObservedProcess& process_;
  const RewardGroups& groups_;
  std::span<const double> decisions_;
  double discount_, precision_;
  std::vector<double> values_;  // of the last evaluation: where the next iteration begins
};

}  // namespace interpole::learners
