#include "interpole/planning/exact/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "interpole/error.hpp"
#include "interpole/planning/exact/backup.hpp"
#include "interpole/planning/plan_goal.hpp"

namespace interpole::planning {
namespace {

// Without a horizon, this part of the accuracy asked for is spent on pruning, the rest on stopping early.
constexpr double kPruningShare = 0.5;

constexpr double kHorizonShare = 0.99;   // with a horizon nearly all of it; the rest is for rounding
constexpr double kLeastDiscount = 1e-3;  // with a horizon, far stages are pruned no coarser than this allows

std::unique_ptr<Backup> make_backup(const Pomdp& pomdp, const ExactOptions& options, const Sink& sink) {
  if (pomdp.state_count() == 2 && options.lines_for_two_states) return line_backup(pomdp, 0.0);
  return program_backup(pomdp, {0.0, options.most_vectors, options.most_programs}, sink);
}

// How coarsely to prune in each stage without a horizon. Only the last stage's loss counts (exact.hpp), so
// the others need to be no finer than what values still move by. Pruning that is too coarse can keep them
// moving: it is made finer when they stop settling.
class Coarseness {
 public:
  Coarseness(const Pomdp& pomdp, double epsilon)
      : per_stage_((1.0 - pomdp.discount) / prunings_per_stage(pomdp)), finest_(kPruningShare * epsilon) {}

  double tolerance() const { return per_stage_ * std::max(finest_, step_ * least_); }

  void see(double moved) {
    if (least_ == 0.0 || moved < kSettling * least_) {
      least_ = moved;
      idle_ = 0;
    } else if (++idle_ == kPatience) {
      idle_ = 0;
      finest_ /= kFiner;
      step_ /= kFiner;
    }
  }

 private:
  static constexpr double kSettling = 0.999;
  static constexpr int kPatience = 5;
  static constexpr double kFiner = 8.0;

  double per_stage_;
  double finest_;
  double step_ = 0.25;
  double least_ = 0.0;  // the least change seen; 0: none yet, begin fine
  int idle_ = 0;
};

struct Progress {
  AlphaVectors now;
  AlphaVectors before;
  ValueChange change;
  double error = 0.0;
  int stages = 0;
};

PlanStop run_horizon(Backup& backup, const Pomdp& pomdp, const ExactOptions& options, Sink& sink,
                     Progress& at) {
  while (at.stages < *options.horizon) {
    if (sink.stop_requested()) return PlanStop::kInterrupted;
    // Every stage may lose its share, counted at the end: what is lost far from it is discounted.
    const double share = kHorizonShare * options.epsilon / *options.horizon;
    const int after_it = *options.horizon - at.stages - 1;
    backup.set_tolerance(share / std::max(std::pow(pomdp.discount, after_it), kLeastDiscount) /
                         prunings_per_stage(pomdp));
    AlphaVectors after = backup.apply(at.now);
    if (after.size() > options.most_vectors) return PlanStop::kVectors;
    at.before = std::exchange(at.now, std::move(after));
    at.error = pomdp.discount * at.error + backup.stage_error();
    sink.progress("planning", ++at.stages, *options.horizon);
  }
  return PlanStop::kHorizon;
}

// How far the start can be from the optimum: no value exceeds the largest gain, for ever.
double first_error(const Pomdp& pomdp, const AlphaVectors& start) {
  double gain = 0.0;
  for (const double reward : pomdp.reward) gain = std::max(gain, std::abs(reward));
  double value = 0.0;
  for (const double x : start.values) value = std::max(value, std::abs(x));
  return value + gain / (1.0 - pomdp.discount);
}

PlanStop run_endless(Backup& backup, const Pomdp& pomdp, const ExactOptions& options, Sink& sink,
                     Progress& at) {
  const double gamma = pomdp.discount;
  at.error = first_error(pomdp, at.now);
  Coarseness coarseness(pomdp, options.epsilon);
  while (at.stages < options.most_stages) {
    if (sink.stop_requested()) return PlanStop::kInterrupted;
    backup.set_tolerance(coarseness.tolerance());
    AlphaVectors after = backup.apply(at.now);
    if (after.size() > options.most_vectors) return PlanStop::kVectors;
    const double budget = options.epsilon * (1.0 - gamma) - backup.stage_error();
    const ValueChange change =
        backup.change(after, at.now, gamma > 0.0 ? budget / gamma : std::numeric_limits<double>::infinity());
    at.change = change;
    at.before = std::exchange(at.now, std::move(after));
    ++at.stages;
    at.error = gamma * at.error + backup.stage_error();  // a stage brings any value closer
    const double moved = std::max(std::abs(change.lowest), std::abs(change.highest));
    coarseness.see(moved);
    if (change.everywhere) {
      at.error = std::min(at.error, (gamma * moved + backup.stage_error()) / (1.0 - gamma));
    }
    if (at.error <= options.epsilon) return PlanStop::kConverged;
    sink.progress("planning", at.stages, options.most_stages);
  }
  return PlanStop::kIterations;
}

}  // namespace

void ExactOptions::validate(const Pomdp& pomdp) const {
  require_plannable(pomdp, horizon, epsilon);
  if (most_stages < 1) throw usage_error("at least one stage must be allowed");
  if (!start.empty() && start.states != pomdp.state_count()) {
    throw usage_error(fmt::format("the value to start from has {} states, the problem {}", start.states,
                                  pomdp.state_count()));
  }
}

ExactSummary solve_exact(std::shared_ptr<const Pomdp> pomdp, const ExactOptions& options, Sink& sink) {
  options.validate(*pomdp);
  const auto backup = make_backup(*pomdp, options, sink);
  Progress at;
  at.now = options.start.empty() ? AlphaVectors::zero(pomdp->state_count()) : options.start;
  at.before = at.now;
  PlanStop stop = PlanStop::kInterrupted;
  try {
    stop = options.horizon ? run_horizon(*backup, *pomdp, options, sink, at)
                           : run_endless(*backup, *pomdp, options, sink, at);
  } catch (const PlanningCut& cut) {
    stop = cut.why;
  }
  const bool converged = stop == PlanStop::kHorizon || stop == PlanStop::kConverged;
  // Without a horizon the values are (almost) a fixed point: look-ahead goes from the best there is.
  AlphaVectors next = options.horizon ? std::move(at.before) : at.now;
  return {ValueFunction(std::move(pomdp), std::move(at.now), std::move(next)),
          stop,
          converged,
          at.stages,
          at.error,
          at.change.lowest,
          at.change.highest,
          backup->programs()};
}

}  // namespace interpole::planning
