#include "interpole/planning/bounds/point_based.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/error.hpp"
#include "interpole/planning/bounds/bound_pair.hpp"
#include "interpole/planning/plan_goal.hpp"

namespace interpole::planning {
namespace {

constexpr int kDeepest = 2'000;        // steps of one trial without a horizon
constexpr double kSimpleShare = 1e-3;  // bounds that need no search are computed to this part of epsilon

// Bounds for every number of stages to go, or one pair without a horizon.
class Search {
 public:
  Search(const Pomdp& pomdp, const PointBasedOptions& options) : pomdp_(pomdp), options_(options) {
    if (options.horizon) {
      bounds_.emplace_back(AlphaVectors::zero(pomdp.state_count()), AlphaVectors::zero(pomdp.state_count()));
      AlphaVectors informed = AlphaVectors::zero(pomdp.state_count());
      AlphaVectors blind = zeros();
      for (int k = 1; k <= *options.horizon; ++k) {
        informed = informed_step(pomdp, informed);
        blind = blind_step(pomdp, blind);
        bounds_.emplace_back(blind, informed);
      }
    } else {
      const double accuracy = kSimpleShare * options.epsilon * (1.0 - pomdp.discount);
      AlphaVectors lower = blind_bound(pomdp, accuracy);
      if (options.start) add_lowered(*options.start, lower);
      bounds_.emplace_back(std::move(lower), informed_bound(pomdp, accuracy));
    }
  }

  BoundPair& with(int to_go) { return bounds_[options_.horizon ? static_cast<std::size_t>(to_go) : 0]; }
  const std::vector<BoundPair>& bounds() const { return bounds_; }

  double gap(const std::vector<double>& belief) { return with(horizon()).gap(belief); }
  int horizon() const { return options_.horizon.value_or(0); }

  // Down along the doubts, and back up improving the bounds.
  void trial(std::vector<double> belief) {
    std::vector<std::vector<double>> path;
    double allowed = options_.epsilon;
    const int deepest = options_.horizon.value_or(kDeepest);
    for (int depth = 0; depth < deepest; ++depth) {
      path.push_back(belief);
      const int to_go = horizon() - depth;
      allowed /= pomdp_.discount;
      if (!with(to_go).descend(pomdp_, with(to_go - 1), allowed, belief)) break;
    }
    for (int depth = static_cast<int>(path.size()) - 1; depth >= 0; --depth) {
      const int to_go = horizon() - depth;
      with(to_go).improve(pomdp_, with(to_go - 1), path[static_cast<std::size_t>(depth)]);
    }
  }

 private:
  AlphaVectors zeros() const {
    AlphaVectors result{pomdp_.state_count(), {}, {}};
    const std::vector<double> zero(pomdp_.states.size(), 0.0);
    for (int a = 0; a < pomdp_.action_count(); ++a) result.add(a, zero);
    return result;
  }

  // A plan that earned these values before now earns less by at most the largest loss of gain, for ever.
  void add_lowered(const ValueFunction& start, AlphaVectors& lower) const {
    double loss = 0.0;
    for (int a = 0; a < pomdp_.action_count(); ++a) {
      for (int s = 0; s < pomdp_.state_count(); ++s) {
        loss = std::max(loss, start.pomdp().gain(a, s) - pomdp_.gain(a, s));
      }
    }
    for (std::size_t i = 0; i < start.vectors().size(); ++i) {
      std::vector<double> row(start.vectors().row(i).begin(), start.vectors().row(i).end());
      for (double& x : row) x -= loss / (1.0 - pomdp_.discount);
      lower.add(start.vectors().actions[i], row);
    }
  }

  const Pomdp& pomdp_;
  const PointBasedOptions& options_;
  std::vector<BoundPair> bounds_;
};

// Start and targets, the one with the largest gap first.
struct Worst {
  std::size_t target = 0;
  double gap = -INFINITY;
};

Worst worst_of(Search& search, const std::vector<std::vector<double>>& targets) {
  Worst worst;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double gap = search.gap(targets[i]);
    if (gap > worst.gap) worst = {i, gap};
  }
  return worst;
}

bool same_dynamics(const Pomdp& a, const Pomdp& b) {
  return a.transition == b.transition && a.observation == b.observation && a.discount == b.discount &&
         a.terminal == b.terminal;
}

}  // namespace

void PointBasedOptions::validate(const Pomdp& pomdp) const {
  require_plannable(pomdp, horizon, epsilon);
  if (most_trials < 1) throw usage_error("at least one trial must be allowed");
  for (const auto& target : targets) {
    if (target.size() == pomdp.states.size()) continue;
    throw usage_error(fmt::format("a target belief has {} numbers; the problem has {} states", target.size(),
                                  pomdp.states.size()));
  }
  if (start && (horizon || !same_dynamics(start->pomdp(), pomdp))) {
    throw usage_error("a value to start from needs the same dynamics and discount, and no horizon");
  }
}

PointBasedSummary solve_point_based(const std::shared_ptr<const Pomdp>& pomdp,
                                    const PointBasedOptions& options, Sink& sink) {
  options.validate(*pomdp);
  Search search(*pomdp, options);
  std::vector<std::vector<double>> targets = {pomdp->start};
  targets.insert(targets.end(), options.targets.begin(), options.targets.end());

  PlanStop stop = PlanStop::kIterations;
  int trials = 0;
  Worst worst = worst_of(search, targets);
  for (; trials < options.most_trials; ++trials) {
    if (worst.gap <= options.epsilon) {
      stop = PlanStop::kConverged;
      break;
    }
    if (sink.stop_requested()) {
      stop = PlanStop::kInterrupted;
      break;
    }
    search.trial(targets[worst.target]);
    worst = worst_of(search, targets);
    sink.progress("planning", trials + 1, options.most_trials);
  }
  const bool converged = worst.gap <= options.epsilon;
  if (converged) stop = PlanStop::kConverged;

  const BoundPair& top = search.with(search.horizon());
  const AlphaVectors& next =
      options.horizon && *options.horizon > 0 ? search.with(search.horizon() - 1).lower() : top.lower();
  PointBasedSummary summary{ValueFunction(pomdp, top.lower(), next),
                            stop,
                            converged,
                            trials,
                            value_at(top.lower(), pomdp->start),
                            top.upper().value(pomdp->start),
                            worst.gap,
                            worst.gap,
                            0,
                            {}};
  for (const BoundPair& pair : search.bounds()) {
    summary.points += pair.upper().point_count();
    summary.largest_gap = std::max(summary.largest_gap, pair.largest_gap());
  }
  for (const auto& target : options.targets) summary.target_upper.push_back(top.upper().value(target));
  return summary;
}

}  // namespace interpole::planning
