// A plan that remembers how it came about: what any function of q(b,a) owes to rewards and dynamics can then
// be traced back through all stages, for less than the plan itself costs.
//
// A vector of stage h is α(s) = r(a,s) + γ Σ_z Σ_s' T(s'|s,a) O(z|a,s') α_z(s'), where α_z is the vector of
// stage h − 1 that is followed after outcome z. What is followed is the best there is, so a small change of
// the problem changes values as if it were held (the envelope theorem). Derivatives exist wherever no two
// choices are equally good.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpole/planning/fixed_points/q_table.hpp"

namespace interpole::planning {

// Derivatives by the numbers of a problem, laid out as in Pomdp.
struct PomdpGradient {
  std::vector<double> reward, transition, observation;

  static PomdpGradient zero(const Pomdp& pomdp);
};

// What every action is worth at beliefs b_i, and what follows it there.
struct TracedWorth {
  std::vector<double> q;                 // [a·count + i]
  std::vector<double> slopes;            // [(a·S + s)·count + i]: q = Σ_s slope(s) b_i(s) close by
  std::vector<std::int64_t> successors;  // [(a·Z + z)·count + i]: which vector of one stage less
};

class DifferentiablePlan {
 public:
  // Two states: by upper envelopes of lines, no value more than `epsilon` below the optimum. Throws a usage
  // error for another number of states.
  DifferentiablePlan(std::shared_ptr<const Pomdp> pomdp, int horizon, double epsilon);
  // Any number of states: values backed up at fixed points, as in solve_at_points().
  DifferentiablePlan(std::shared_ptr<const Pomdp> pomdp, int horizon, const BeliefTable& points);

  TracedWorth worth(const BeliefTable& beliefs) const;

  // Adds what a function owes to the problem through q at these beliefs. `worth`: theirs; `weights`
  // [a·count + i]: the function's derivatives by q.
  void pull_back(const BeliefTable& beliefs, const TracedWorth& worth, std::span<const double> weights,
                 PomdpGradient& gradient) const;

 private:
  // From q to the vectors of the last stage, and from those of a stage to those before: what each is owed.
  std::vector<double> pull_back_q(const BeliefTable& beliefs, const TracedWorth& worth,
                                  std::span<const double> weights, PomdpGradient& gradient) const;
  std::vector<double> pull_back_stage(std::size_t stage, const std::vector<double>& owed,
                                      PomdpGradient& gradient) const;
  int successor_of(std::size_t stage, std::size_t vector, int observation) const;

  std::shared_ptr<const Pomdp> pomdp_;
  std::vector<AlphaVectors> stages_;  // [h]: with h stages to go; the last one is not needed
  // What a vector of a stage follows after each outcome: noted of points, found anew of lines.
  std::vector<std::vector<int>> successors_;  // [h][vector·Z + z]
  std::vector<std::vector<double>> kinks_;    // [h]: between lines; empty: planned at points
};

}  // namespace interpole::planning
