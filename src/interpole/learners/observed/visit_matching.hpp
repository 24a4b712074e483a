// How well a policy predicts where records are, step by step (Englert 2013): under the learned moves,
//   p_{t+1}(a, z) = Σ_x (1 − leaving_t) p_t(x) π(a|x) P(z|x,a)
// and who was stopped by a terminal action, or left, before step t stays so. Where they were stopped is part
// of what is matched: without it decisions that end records are told apart by nothing but how the others go
// on. The objective is −Σ_t records KL(recorded ‖ predicted) over all of these, up to a constant: Σ N_t log
// p_t; less ½ Σ θ²/sd². Visits forward, adjoints backward.
#pragma once

#include <span>
#include <vector>

#include "interpole/learners/observed/context_policy.hpp"
#include "interpole/learners/observed/observed_process.hpp"
#include "interpole/optimize/objective.hpp"

namespace interpole::learners {

class VisitMatching : public optimize::Objective {
 public:
  // Keeps references.
  VisitMatching(const ObservedProcess& process, const ObservedRecords& records, const ContextPolicy& policy,
                double prior_sd);
  int size() const override { return policy_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override;

 private:
  // Where records are before decision t.
  struct Where {
    std::vector<double> arrivals;  // [x]
    std::vector<double> stopped;   // [x·A + a] by a terminal action before, in this context
    double left = 0.0;             // before
  };
  void forward(std::span<const double> policy);
  double step_backward(std::size_t t, std::span<const double> policy, Where& worth,
                       std::span<double> by_policy) const;

  const ObservedProcess& process_;
  const ObservedRecords& records_;
  const ContextPolicy& policy_;
  double precision_;
  std::vector<Where> recorded_, predicted_;  // [t]; of records, and as a share
};

}  // namespace interpole::learners
