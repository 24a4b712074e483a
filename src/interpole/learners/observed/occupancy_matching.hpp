// Occupancy matching (GAIL). With ρ(x, a) the decisions per record under a policy and ρ_E those recorded, the
// best discriminator is known, D = ρ_E/(ρ_E + ρ), and what it achieves is a Jensen–Shannon divergence:
//   J(π) = Σ [ρ_E log 2ρ_E/(ρ_E + ρ) + ρ log 2ρ/(ρ_E + ρ)] − λ Σ_x visits(x) H(π(·|x))
// The game is then descent on J: no discriminator to train, no roll-outs. J = 0 at ρ = ρ_E, if λ = 0.
#pragma once

#include <span>
#include <vector>

#include "interpole/learners/observed/context_policy.hpp"
#include "interpole/learners/observed/observed_process.hpp"
#include "interpole/optimize/objective.hpp"

namespace interpole::learners {

// −records · J.
class OccupancyMatching : public optimize::Objective {
 public:
  // Keeps references. `expert` is ρ_E, [x·A + a]; `records` is the weight of J, `entropy` is λ.
  OccupancyMatching(const ObservedProcess& process, std::span<const double> expert,
                    const ContextPolicy& policy, double records, double entropy);
  int size() const override { return policy_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override;

 private:
  const ObservedProcess& process_;
  std::span<const double> expert_;
  const ContextPolicy& policy_;
  double records_, entropy_;
};

}  // namespace interpole::learners
