#include "interpole/learners/inverse_rl/reward_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/inference/belief_gradient.hpp"
#include "interpole/learn/posterior/log_prior.hpp"

namespace interpole::learners {
namespace {

// A reward farther out, e^-450 beforehand, is as good as impossible, and planning for it to the usual
// accuracy would take for ever. Samplers look that far when they try how long a step may be.
constexpr double kMostDeviations = 30.0;

double nowhere(std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  return -INFINITY;
}

// Log-probabilities of the actions at every belief, [a·n + i], from q laid out alike.
std::vector<double> log_policies(const std::vector<double>& q, std::size_t n, double inverse_temperature) {
  std::vector<double> logs(q.size());
  const std::size_t A = n == 0 ? 0 : q.size() / n;
  for (std::size_t i = 0; i < n; ++i) {
    double highest = -INFINITY;
    for (std::size_t a = 0; a < A; ++a) highest = std::max(highest, inverse_temperature * q[a * n + i]);
    double sum = 0.0;
    for (std::size_t a = 0; a < A; ++a) sum += std::exp(inverse_temperature * q[a * n + i] - highest);
    const double normaliser = highest + std::log(sum);
    for (std::size_t a = 0; a < A; ++a) logs[a * n + i] = inverse_temperature * q[a * n + i] - normaliser;
  }
  return logs;
}

}  // namespace

RewardPosterior::RewardPosterior(const JointTarget& target)
    : target_(target), shaping_(target.agent.structure, target.agent.discount) {
  if (target_.space.size() == 0) believe({});
}

int RewardPosterior::size() const {
  const Structure& structure = target_.agent.structure;
  return target_.space.size() + structure.action_count() * structure.state_count();
}

Dynamics RewardPosterior::dynamics(std::span<const double> x) const {
  return target_.space.point(x.first(target_.space.size()));
}

std::vector<double> RewardPosterior::rewards(std::span<const double> x) const {
  std::vector<double> rewards = shaping_.rewards(dynamics(x), x.subspan(target_.space.size()));
  for (double& reward : rewards) reward /= target_.agent.inverse_temperature;
  return rewards;
}

std::vector<double> RewardPosterior::coordinates(const Dynamics& dynamics,
                                                 std::span<const double> rewards) const {
  std::vector<double> x(target_.space.size());
  target_.space.coordinates(dynamics, x);
  std::vector<double> scaled(rewards.begin(), rewards.end());
  for (double& reward : scaled) reward *= target_.agent.inverse_temperature;
  const std::vector<double> shaped = shaping_.coordinates(dynamics, scaled);
  x.insert(x.end(), shaped.begin(), shaped.end());
  return x;
}

double RewardPosterior::redraw_unseen(std::span<double> x, base::RandomStream& random) const {
  const double sd = target_.reward_sd * target_.agent.inverse_temperature;
  return shaping_.redraw(dynamics(x), sd, random, x.subspan(target_.space.size()));
}

double RewardPosterior::evaluate(std::span<const double> x, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  const auto split = static_cast<std::size_t>(target_.space.size());
  if (split > 0 && !believe(x)) return nowhere(gradient);
  const auto d_dynamics = gradient.first(split);
  double value = target_.space.log_jacobian(dynamics_, d_dynamics) +
                 learn::log_prior(target_.space, target_.priors, dynamics_, d_dynamics);
  const std::vector<double> scaled = shaping_.rewards(dynamics_, x.subspan(split));  // β r
  const double sd = target_.reward_sd * target_.agent.inverse_temperature;
  if (!std::ranges::all_of(scaled, [&](double r) { return std::abs(r) <= kMostDeviations * sd; })) {
    return nowhere(gradient);
  }
  std::vector<double> by_reward(scaled.size());
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    value -= 0.5 * (scaled[i] / sd) * (scaled[i] / sd);
    by_reward[i] = -scaled[i] / (sd * sd);
  }
  Dynamics by_dynamics = Dynamics::filled(target_.agent.structure, 0.0);
  value += weigh_observations() + weigh_actions(scaled, by_reward, by_dynamics);
  value += shaping_.pull_back(dynamics_, x.subspan(split), by_reward, gradient.subspan(split), by_dynamics);
  target_.space.pull_back(dynamics_, by_dynamics, d_dynamics);
  return value;
}

bool RewardPosterior::believe(std::span<const double> x) {
  dynamics_ = dynamics(x);
  beliefs_ = inference::node_beliefs(target_.tree, target_.agent.structure, dynamics_);
  if (beliefs_.impossible) return false;
  decisions_ = decisions_at_beliefs(target_.tree, beliefs_);
  return true;
}

double RewardPosterior::weigh_observations() const {
  double sum = 0.0;
  for (int node = 1; node < target_.tree.node_count(); ++node) {
    sum += static_cast<double>(target_.tree.passes[node]) * std::log(beliefs_.outcome_probability[node]);
  }
  return sum;
}

double RewardPosterior::weigh_actions(std::span<const double> scaled, std::span<double> by_reward,
                                      Dynamics& by_dynamics) const {
  const double beta = target_.agent.inverse_temperature;
  const std::size_t n = decisions_.beliefs.count;
  std::vector<double> rewards(scaled.begin(), scaled.end());
  for (double& reward : rewards) reward /= beta;
  const planning::DifferentiablePlan plan = target_.agent.differentiable_plan(dynamics_, rewards);
  const planning::TracedWorth worth = plan.worth(decisions_.beliefs);
  std::vector<double> chances = log_policies(worth.q, n, beta);
  double sum = 0.0;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    sum += decisions_.counts[i] * chances[i];
    chances[i] = std::exp(chances[i]);
  }
  const std::size_t A = target_.agent.structure.actions.size();
  std::vector<double> weights(chances.size());
  for (std::size_t i = 0; i < n; ++i) {
    double total = 0.0;
    for (std::size_t a = 0; a < A; ++a) total += decisions_.counts[a * n + i];
    for (std::size_t a = 0; a < A; ++a) {
      weights[a * n + i] = beta * (decisions_.counts[a * n + i] - total * chances[a * n + i]);
    }
  }
  planning::PomdpGradient by_plan{std::vector<double>(rewards.size(), 0.0), std::move(by_dynamics.transition),
                                  std::move(by_dynamics.observation)};
  plan.pull_back(decisions_.beliefs, worth, weights, by_plan);
  for (std::size_t i = 0; i < rewards.size(); ++i) by_reward[i] += by_plan.reward[i] / beta;
  by_dynamics.transition = std::move(by_plan.transition);
  by_dynamics.observation = std::move(by_plan.observation);
  if (target_.space.size() > 0) pull_back(worth, chances, by_dynamics);
  return sum;
}

void RewardPosterior::pull_back(const planning::TracedWorth& worth, std::span<const double> chances,
                                Dynamics& by_dynamics) const {
  const HistoryTree& tree = target_.tree;
  const std::size_t n = decisions_.beliefs.count;
  const std::size_t S = beliefs_.states;
  const auto A = static_cast<std::size_t>(tree.action_count);
  std::vector<double> by_belief(beliefs_.beliefs.size(), 0.0);
  for (std::size_t node = 0; node < tree.parent.size(); ++node) {
    if (decisions_.places[node] < 0) continue;
    const auto i = static_cast<std::size_t>(decisions_.places[node]);
    const auto total = static_cast<double>(tree.decisions_at(static_cast<int>(node)));
    for (std::size_t a = 0; a < A; ++a) {
      const double weight =
          target_.agent.inverse_temperature *
          (static_cast<double>(tree.action_counts[node * A + a]) - total * chances[a * n + i]);
      for (std::size_t s = 0; s < S; ++s) {
        by_belief[node * S + s] += weight * worth.slopes[(a * S + s) * n + i];
      }
    }
  }
  const std::vector<double> passes(tree.passes.begin(), tree.passes.end());
  inference::pull_back_beliefs(tree, target_.agent.structure, dynamics_, beliefs_, by_belief, passes,
                               by_dynamics);
}

}  // namespace interpole::learners
