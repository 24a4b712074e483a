#include "interpole/planning/fixed_points/differentiable_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "interpole/error.hpp"
#include "interpole/planning/exact/backup.hpp"
#include "interpole/planning/fixed_points/highest_vectors.hpp"
#include "interpole/planning/fixed_points/point_stages.hpp"

namespace interpole::planning {
namespace {

TracedWorth look_ahead(const Pomdp& pomdp, const AlphaVectors& next, const BeliefTable& beliefs) {
  const std::size_t S = pomdp.states.size();
  const std::size_t A = pomdp.actions.size();
  const std::size_t Z = pomdp.observations.size();
  const std::size_t n = beliefs.count;
  TracedWorth worth;
  worth.q.assign(A * n, 0.0);
  worth.slopes.resize(A * S * n);
  worth.successors.assign(A * Z * n, 0);
  std::vector<double> highest(n);
  for (std::size_t a = 0; a < A && n > 0; ++a) {
    const int action = static_cast<int>(a);
    double* const slopes = &worth.slopes[a * S * n];
    for (std::size_t s = 0; s < S; ++s) {
      std::fill_n(slopes + s * n, n, pomdp.gain(action, static_cast<int>(s)));
    }
    for (std::size_t z = 0; z < Z && !pomdp.is_terminal(action); ++z) {
      if (!may_follow(pomdp, action, static_cast<int>(z))) continue;
      const AlphaVectors parts = project(pomdp, action, static_cast<int>(z), next);
      std::int64_t* const which = &worth.successors[(a * Z + z) * n];
      find_highest(parts.values, {beliefs.by_state.data(), n, n, S}, highest.data(), which);
      for (std::size_t i = 0; i < n; ++i) {
        const double* const part = &parts.values[which[i] * S];
        for (std::size_t s = 0; s < S; ++s) slopes[s * n + i] += part[s];
      }
    }
    for (std::size_t s = 0; s < S; ++s) {
      for (std::size_t i = 0; i < n; ++i) {
        worth.q[a * n + i] += slopes[s * n + i] * beliefs.by_state[s * n + i];
      }
    }
  }
  return worth;
}

// Where each line of an envelope hands over to the next, as probabilities of the second state.
std::vector<double> kinks_of(const AlphaVectors& lines) {
  std::vector<double> kinks;
  for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
    const auto flat = lines.row(k);
    const auto steep = lines.row(k + 1);
    kinks.push_back(
        std::clamp((flat[0] - steep[0]) / ((steep[1] - steep[0]) - (flat[1] - flat[0])), 0.0, 1.0));
  }
  return kinks;
}

// Derivatives on their way from one stage to the one before.
class Adjoint {
 public:
  Adjoint(const Pomdp& pomdp, const AlphaVectors& next)
      : pomdp_(pomdp),
        next_(next),
        S_(pomdp.states.size()),
        Z_(pomdp.observations.size()),
        mass_(pomdp.actions.size() * Z_ * next.values.size(), 0.0) {}

  // The weights of those who follow vector k after z of a, by their state: [s].
  double* mass(std::size_t a, std::size_t z, std::size_t k) {
    return &mass_[((a * Z_ + z) * next_.size() + k) * S_];
  }

  // Adds to the gradient; returns what the function owes to each entry of the vectors.
  std::vector<double> push(PomdpGradient& gradient) const {
    std::vector<double> owed(next_.values.size(), 0.0);
    const double* mass = mass_.data();
    for (std::size_t a = 0; a < pomdp_.actions.size(); ++a) {
      for (std::size_t z = 0; z < Z_; ++z) {
        for (std::size_t k = 0; k < next_.size(); ++k, mass += S_) {
          if (std::all_of(mass, mass + S_, [](double x) { return x == 0.0; })) continue;
          push_one(a, z, k, mass, &owed[k * S_], gradient);
        }
      }
    }
    return owed;
  }

 private:
  void push_one(std::size_t a, std::size_t z, std::size_t k, const double* mass, double* owed,
                PomdpGradient& gradient) const {
    for (std::size_t to = 0; to < S_; ++to) {
      const std::size_t outcome = (a * S_ + to) * Z_ + z;
      const double chance = pomdp_.discount * pomdp_.observation[outcome];
      const double value = next_.values[k * S_ + to];
      double arrived = 0.0;
      for (std::size_t from = 0; from < S_; ++from) {
        const std::size_t move = (a * S_ + from) * S_ + to;
        arrived += mass[from] * pomdp_.transition[move];
        gradient.transition[move] += mass[from] * chance * value;
      }
      owed[to] += chance * arrived;
      gradient.observation[outcome] += pomdp_.discount * arrived * value;
    }
  }

  const Pomdp& pomdp_;
  const AlphaVectors& next_;
  std::size_t S_, Z_;
  std::vector<double> mass_;
};

}  // namespace

PomdpGradient PomdpGradient::zero(const Pomdp& pomdp) {
  return {std::vector<double>(pomdp.reward.size(), 0.0), std::vector<double>(pomdp.transition.size(), 0.0),
          std::vector<double>(pomdp.observation.size(), 0.0)};
}

DifferentiablePlan::DifferentiablePlan(std::shared_ptr<const Pomdp> pomdp, int horizon, double epsilon)
    : pomdp_(std::move(pomdp)), stages_({AlphaVectors::zero(pomdp_->state_count())}), kinks_(1) {
  if (pomdp_->state_count() != 2) throw usage_error("plans without points are for two states");
  // Every stage may lose its share, counted at the end: what is lost far from it is discounted.
  const double share = epsilon / horizon / prunings_per_stage(*pomdp_);
  constexpr double kLeastDiscount = 1e-3;
  const auto backup = line_backup(*pomdp_, share);
  for (int stage = 1; stage < horizon; ++stage) {
    backup->set_tolerance(share / std::max(std::pow(pomdp_->discount, horizon - stage), kLeastDiscount));
    stages_.push_back(backup->apply(stages_.back()));
    kinks_.push_back(kinks_of(stages_.back()));
  }
}

DifferentiablePlan::DifferentiablePlan(std::shared_ptr<const Pomdp> pomdp, int horizon,
                                       const BeliefTable& points)
    : pomdp_(std::move(pomdp)), stages_({AlphaVectors::zero(pomdp_->state_count())}), successors_(1) {
  PointStages at_points(*pomdp_, points);
  for (int stage = 1; stage < horizon; ++stage) {
    AlphaVectors after{pomdp_->state_count(), {}, {}};
    successors_.emplace_back();
    at_points.back_up(stages_.back(), after, &successors_.back());
    stages_.push_back(std::move(after));
  }
}

TracedWorth DifferentiablePlan::worth(const BeliefTable& beliefs) const {
  return look_ahead(*pomdp_, stages_.back(), beliefs);
}

int DifferentiablePlan::successor_of(std::size_t stage, std::size_t vector, int observation) const {
  const std::size_t Z = pomdp_->observations.size();
  if (kinks_.empty()) return successors_[stage][vector * Z + observation];
  // The line is highest in the middle of its stretch; after the outcome, that one is whose stretch it is.
  const std::vector<double>& own = kinks_[stage];
  const double p = 0.5 * ((vector == 0 ? 0.0 : own[vector - 1]) + (vector == own.size() ? 1.0 : own[vector]));
  const auto a = static_cast<std::size_t>(stages_[stage].actions[vector]);
  std::array<double, 2> after{};
  for (std::size_t to = 0; to < 2; ++to) {
    const double* const T = &pomdp_->transition[a * 4];
    after[to] = ((1.0 - p) * T[to] + p * T[2 + to]) * pomdp_->observation[(a * 2 + to) * Z + observation];
  }
  const std::vector<double>& next = kinks_[stage - 1];
  const double chance = after[0] + after[1];
  const double there = chance > 0.0 ? after[1] / chance : 0.0;
  return static_cast<int>(std::lower_bound(next.begin(), next.end(), there) - next.begin());
}

void DifferentiablePlan::pull_back(const BeliefTable& beliefs, const TracedWorth& worth,
                                   std::span<const double> weights, PomdpGradient& gradient) const {
  const std::vector<double> before =
      std::exchange(gradient.reward, std::vector<double>(gradient.reward.size(), 0.0));
  std::vector<double> owed = pull_back_q(beliefs, worth, weights, gradient);
  for (std::size_t stage = stages_.size() - 1; stage > 0; --stage) {
    owed = pull_back_stage(stage, owed, gradient);
  }
  // So far by gains, which costs are the negative of.
  const double sign = pomdp_->goal == Goal::kReward ? 1.0 : -1.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    gradient.reward[i] = before[i] + sign * gradient.reward[i];
  }
}

std::vector<double> DifferentiablePlan::pull_back_q(const BeliefTable& beliefs, const TracedWorth& worth,
                                                    std::span<const double> weights,
                                                    PomdpGradient& gradient) const {
  const std::size_t S = pomdp_->states.size();
  const std::size_t Z = pomdp_->observations.size();
  const std::size_t n = beliefs.count;
  Adjoint adjoint(*pomdp_, stages_.back());
  for (std::size_t a = 0; a < pomdp_->actions.size(); ++a) {
    const bool ends = pomdp_->is_terminal(static_cast<int>(a));
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = weights[a * n + i];
      for (std::size_t s = 0; s < S; ++s) {
        gradient.reward[a * S + s] += weight * beliefs.by_state[s * n + i];
      }
      for (std::size_t z = 0; z < Z && !ends; ++z) {
        double* const mass = adjoint.mass(a, z, worth.successors[(a * Z + z) * n + i]);
        for (std::size_t s = 0; s < S; ++s) mass[s] += weight * beliefs.by_state[s * n + i];
      }
    }
  }
  return adjoint.push(gradient);
}

std::vector<double> DifferentiablePlan::pull_back_stage(std::size_t stage, const std::vector<double>& owed,
                                                        PomdpGradient& gradient) const {
  const std::size_t S = pomdp_->states.size();
  const std::size_t Z = pomdp_->observations.size();
  Adjoint adjoint(*pomdp_, stages_[stage - 1]);
  for (std::size_t k = 0; k < stages_[stage].size(); ++k) {
    const double* const own = &owed[k * S];
    if (std::all_of(own, own + S, [](double x) { return x == 0.0; })) continue;
    const auto a = static_cast<std::size_t>(stages_[stage].actions[k]);
    for (std::size_t s = 0; s < S; ++s) gradient.reward[a * S + s] += own[s];
    if (pomdp_->is_terminal(static_cast<int>(a))) continue;
    for (std::size_t z = 0; z < Z; ++z) {
      double* const mass = adjoint.mass(a, z, successor_of(stage, k, static_cast<int>(z)));
      for (std::size_t s = 0; s < S; ++s) mass[s] += own[s];
    }
  }
  return adjoint.push(gradient);
}

}  // namespace interpole::planning
