#include "interpole/learners/observed/soft_planner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::learners {
namespace {

constexpr double kDistanceLeft = 1e-13;  // of the largest value
constexpr double kRounding = 1e-15;      // … and a sweep cannot do better than this
constexpr int kMostSweeps = 100'000;

double largest_of(const std::vector<double>& values) {
  double most = 1.0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

double log_of_sum(std::span<const double> q) {
  const double highest = *std::max_element(q.begin(), q.end());
  double sum = 0.0;
  for (const double value : q) sum += std::exp(value - highest);
  return highest + std::log(sum);
}

// x ← step(x) until it moves no more. The distance left is at most γ/(1 − γ) times the last move.
template <class Sweep>
void iterate(std::vector<double>& values, double discount, const Sweep& sweep) {
  std::vector<double> next(values.size());
  for (int k = 0; k < kMostSweeps; ++k) {
    sweep(values, next);
    double move = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) move = std::max(move, std::abs(next[i] - values[i]));
    values.swap(next);
    if (move <= std::max(kDistanceLeft * (1.0 - discount), kRounding) * largest_of(values)) return;
  }
}

}  // namespace

SoftPlan plan_softly(const ObservedProcess& process, std::span<const double> rewards, double discount,
                     std::vector<double> values) {
  const auto A = static_cast<std::size_t>(process.actions);
  values.resize(process.contexts, 0.0);
  std::vector<double> q(A);
  const auto look_ahead = [&](int x, const std::vector<double>& at) {
    for (std::size_t a = 0; a < A; ++a) {
      q[a] = rewards[x * A + a] + discount * process.expected_next(x, static_cast<int>(a), at);
    }
  };
  iterate(values, discount, [&](const std::vector<double>& at, std::vector<double>& next) {
    for (int x = 0; x < process.contexts; ++x) {
      look_ahead(x, at);
      next[x] = log_of_sum(q);
    }
  });
  SoftPlan plan{std::move(values), std::vector<double>(static_cast<std::size_t>(process.contexts) * A)};
  for (int x = 0; x < process.contexts; ++x) {
    look_ahead(x, plan.values);
    const double value = log_of_sum(q);
    for (std::size_t a = 0; a < A; ++a) plan.policy[x * A + a] = std::exp(q[a] - value);
  }
  return plan;
}

RewardGroups::RewardGroups(const ObservedProcess& process, bool by_context)
    : group_(process.contexts), count_(by_context ? process.contexts : 1 + process.outcomes) {
  for (int x = 0; x < process.contexts; ++x) {
    group_[x] = by_context || x == 0 ? x : 1 + (x - 1) % process.outcomes;
  }
}

std::vector<double> RewardGroups::spread(std::span<const double> rewards, int actions) const {
  std::vector<double> result;
  for (const int group : group_) {
    const auto row = rewards.subspan(static_cast<std::size_t>(group) * actions, actions);
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

SoftRewardPosterior::SoftRewardPosterior(const ObservedProcess& process, const RewardGroups& groups,
                                         std::span<const double> decisions, double discount, double prior_sd)
    : process_(process),
      groups_(groups),
      decisions_(decisions),
      discount_(discount),
      precision_(1.0 / (prior_sd * prior_sd)) {}

double SoftRewardPosterior::evaluate(std::span<const double> x, std::span<double> gradient) {
  const auto A = static_cast<std::size_t>(process_.actions);
  const SoftPlan plan =
      plan_softly(process_, groups_.spread(x, process_.actions), discount_, std::move(values_));
  values_ = plan.values;
  double value = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    value -= 0.5 * precision_ * x[i] * x[i];
    gradient[i] = -precision_ * x[i];
  }
  // log π = Q − V, so ∂/∂Q is the surplus n − N π; V is moved by all Q it sees ahead.
  std::vector<double> surplus(decisions_.begin(), decisions_.end());
  for (int c = 0; c < process_.contexts; ++c) {
    const double total = std::accumulate(&decisions_[c * A], &decisions_[c * A] + A, 0.0);
    for (std::size_t a = 0; a < A; ++a) {
      const std::size_t at = c * A + a;
      if (decisions_[at] > 0.0) value += decisions_[at] * std::log(plan.policy[at]);
      surplus[at] -= total * plan.policy[at];
    }
  }
  // through(x') = γ Σ P(x'|x,a) (surplus(x,a) + π(a|x) through(x))
  std::vector<double> through(process_.contexts, 0.0);
  iterate(through, discount_, [&](const std::vector<double>& at, std::vector<double>& next) {
    std::fill(next.begin(), next.end(), 0.0);
    for (int c = 0; c < process_.contexts; ++c) {
      for (int a = 0; a < process_.actions; ++a) {
        if (process_.terminal[a] != 0) continue;
        const double mass = discount_ * (surplus[c * A + a] + plan.policy[c * A + a] * at[c]);
        const auto chances = process_.chances_of(c, a);
        for (int z = 0; z < process_.outcomes; ++z) next[process_.context_of(a, z)] += mass * chances[z];
      }
    }
  });
  for (int c = 0; c < process_.contexts; ++c) {
    for (std::size_t a = 0; a < A; ++a) {
      gradient[groups_.of(c) * A + a] += surplus[c * A + a] + plan.policy[c * A + a] * through[c];
    }
  }
  return value;
}

}  // namespace interpole::learners
