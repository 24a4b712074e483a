// The decision-maker of inverse reinforcement learning: one who plans for rewards and errs a little,
//
//   π(a|b) ∝ exp(β q*(b,a)),   q* optimal for rewards r[a·S + s], dynamics, discount and horizon.
//
// q* grows in proportion to r, so only β·r shows in behaviour. Adding φ(s) − γ E φ(s') to the rewards changes
// (up to what the horizon cuts off) no decision: rewards are known up to such a φ at best.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/planning/fixed_points/differentiable_plan.hpp"
#include "interpole/planning/fixed_points/q_table.hpp"
#include "interpole/planning/value_function.hpp"

namespace interpole::learners {

struct RewardAgent {
  Structure structure;
  double inverse_temperature = 1.0;  // β
  double discount = 0.9;
  int horizon = 25;
  // More than two states: plans are made at these beliefs (planning/fixed_points/fixed_points.hpp), because
  // thousands of exact ones would take hours. Two states are planned exactly.
  planning::BeliefTable points;

  planning::ValueFunction plan(const Dynamics& dynamics, std::span<const double> rewards) const;
  // The same as far as q goes, with the way back to rewards and dynamics.
  planning::DifferentiablePlan differentiable_plan(const Dynamics& dynamics,
                                                   std::span<const double> rewards) const;
};

// Decisions by the belief they were taken at; histories that lead to the same belief are put together.
struct DecisionTable {
  planning::BeliefTable beliefs;
  std::vector<double> counts;        // [a·beliefs.count + i]
  std::vector<std::int32_t> places;  // [node]: of its belief; −1 where no decision was taken
};
// No belief may be impossible.
DecisionTable decisions_at_beliefs(const HistoryTree& tree, const inference::NodeBeliefs& beliefs);

// Σ n log π(a|b), the log-likelihood of the actions.
double log_likelihood(const DecisionTable& decisions, const RewardAgent& agent,
                      const planning::ValueFunction& plan);

// π(a|b) at every belief, [i·A + a].
std::vector<double> softmax_policies(const planning::BeliefTable& beliefs, double inverse_temperature,
                                     const planning::ValueFunction& plan);

}  // namespace interpole::learners
