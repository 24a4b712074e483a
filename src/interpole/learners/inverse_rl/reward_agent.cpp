#include "interpole/learners/inverse_rl/reward_agent.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/fixed_points/fixed_points.hpp"

namespace interpole::learners {
namespace {

constexpr double kLogitAccuracy = 1e-4;  // of β·q
constexpr double kSameBelief = 0x1.0p-36;

// Entries as multiples of kSameBelief: beliefs that differ by rounding alone become equal.
std::vector<std::int64_t> rounded(const std::vector<double>& beliefs) {
  std::vector<std::int64_t> result(beliefs.size());
  for (std::size_t i = 0; i < beliefs.size(); ++i) result[i] = std::llround(beliefs[i] / kSameBelief);
  return result;
}

// log Σ_a exp(β q_a) of one belief; q_a stands at q[a·n].
double log_normaliser(const double* q, std::size_t n, std::size_t actions, double beta) {
  double highest = -INFINITY;
  for (std::size_t a = 0; a < actions; ++a) highest = std::max(highest, beta * q[a * n]);
  double sum = 0.0;
  for (std::size_t a = 0; a < actions; ++a) sum += std::exp(beta * q[a * n] - highest);
  return highest + std::log(sum);
}

}  // namespace

planning::ValueFunction RewardAgent::plan(const Dynamics& dynamics, std::span<const double> rewards) const {
  auto pomdp =
      std::make_shared<const planning::Pomdp>(planning::pomdp_of(structure, dynamics, rewards, discount));
  if (structure.state_count() != 2) return solve_at_points(std::move(pomdp), horizon, points);
  return solve_exact(std::move(pomdp),
                     {.horizon = horizon, .epsilon = kLogitAccuracy / inverse_temperature, .start = {}})
      .value;
}

planning::DifferentiablePlan RewardAgent::differentiable_plan(const Dynamics& dynamics,
                                                              std::span<const double> rewards) const {
  auto pomdp =
      std::make_shared<const planning::Pomdp>(planning::pomdp_of(structure, dynamics, rewards, discount));
  if (structure.state_count() != 2) return {std::move(pomdp), horizon, points};
  return {std::move(pomdp), horizon, kLogitAccuracy / inverse_temperature};
}

DecisionTable decisions_at_beliefs(const HistoryTree& tree, const inference::NodeBeliefs& beliefs) {
  const std::size_t S = beliefs.states;
  const auto A = static_cast<std::size_t>(tree.action_count);
  const std::vector<std::int64_t> keys = rounded(beliefs.beliefs);
  const auto key = [&](std::size_t node) { return std::span(keys).subspan(node * S, S); };
  std::vector<std::size_t> nodes;
  for (int node = 0; node < tree.node_count(); ++node) {
    if (tree.decisions_at(node) > 0) nodes.push_back(node);
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](std::size_t x, std::size_t y) {
    return std::lexicographical_compare(key(x).begin(), key(x).end(), key(y).begin(), key(y).end());
  });
  std::vector<double> distinct;
  std::vector<std::size_t> place(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == 0 || !std::ranges::equal(key(nodes[i]), key(nodes[i - 1]))) {
      const auto belief = beliefs.at(static_cast<int>(nodes[i]));
      distinct.insert(distinct.end(), belief.begin(), belief.end());
    }
    place[i] = distinct.size() / S - 1;
  }
  DecisionTable table{planning::BeliefTable::of(distinct, static_cast<int>(S)), {}, {}};
  table.counts.assign(A * table.beliefs.count, 0.0);
  table.places.assign(tree.parent.size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    table.places[nodes[i]] = static_cast<std::int32_t>(place[i]);
    for (std::size_t a = 0; a < A; ++a) {
      table.counts[a * table.beliefs.count + place[i]] +=
          static_cast<double>(tree.action_counts[nodes[i] * A + a]);
    }
  }
  return table;
}

double log_likelihood(const DecisionTable& decisions, const RewardAgent& agent,
                      const planning::ValueFunction& plan) {
  const std::size_t n = decisions.beliefs.count;
  const std::size_t A = agent.structure.actions.size();
  const std::vector<double> q = planning::q_table(plan.pomdp(), plan.next(), decisions.beliefs);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double total = 0.0;
    for (std::size_t a = 0; a < A; ++a) {
      sum += decisions.counts[a * n + i] * agent.inverse_temperature * q[a * n + i];
      total += decisions.counts[a * n + i];
    }
    sum -= total * log_normaliser(&q[i], n, A, agent.inverse_temperature);
  }
  return sum;
}

std::vector<double> softmax_policies(const planning::BeliefTable& beliefs, double inverse_temperature,
                                     const planning::ValueFunction& plan) {
  const std::size_t n = beliefs.count;
  const std::size_t A = plan.pomdp().actions.size();
  const std::vector<double> q = planning::q_table(plan.pomdp(), plan.next(), beliefs);
  std::vector<double> policies(n * A);
  for (std::size_t i = 0; i < n; ++i) {
    const double log_sum = log_normaliser(&q[i], n, A, inverse_temperature);
    for (std::size_t a = 0; a < A; ++a) {
      policies[i * A + a] = std::exp(inverse_temperature * q[a * n + i] - log_sum);
    }
  }
  return policies;
}

}  // namespace interpole::learners
