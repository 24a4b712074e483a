// One stage of dynamic programming: from the value with n stages to go to the value with n + 1.
//
//   V'(b) = max_a [ gain(b,a) + γ Σ_z max_{α ∈ V} Σ_s' α(s') O(z|a,s') Σ_s b(s) T(s'|s,a) ]
//
// Incremental pruning: the vectors of each outcome are pruned, added outcome by outcome and pruned again,
// then those of all actions are put together and pruned.
#pragma once

#include <memory>

#include "interpole/planning/alpha_vectors.hpp"
#include "interpole/planning/exact/pruning.hpp"
#include "interpole/planning/pomdp.hpp"
#include "interpole/sink.hpp"

namespace interpole::planning {

struct ValueChange {
  double lowest = 0.0;  // of after − before
  double highest = 0.0;
  bool everywhere = true;  // false: only of the beliefs looked at, which were enough to see that it is large
};

class Backup {
 public:
  virtual ~Backup() = default;
  virtual AlphaVectors apply(const AlphaVectors& next) = 0;
  // Over all beliefs, unless a few show already that the change exceeds `enough`.
  virtual ValueChange change(const AlphaVectors& after, const AlphaVectors& before, double enough) = 0;
  virtual void set_tolerance(double tolerance) = 0;
  virtual long programs() const = 0;
  // The most by which pruning may have lowered the value in one stage.
  virtual double stage_error() const = 0;
};

// Two states only: upper envelopes of lines.
std::unique_ptr<Backup> line_backup(const Pomdp& pomdp, double tolerance);
// Any number of states: linear programs. Throws PlanningCut at a limit.
std::unique_ptr<Backup> program_backup(const Pomdp& pomdp, const PruningLimits& limits, const Sink& sink);

// How many times a vector's set is pruned in one stage, at most: what the tolerance is multiplied with.
int prunings_per_stage(const Pomdp& pomdp);

// γ Σ_s' T(s'|s,a) O(z|a,s') α(s') for every vector: the part of its value that outcome z contributes.
AlphaVectors project(const Pomdp& pomdp, int action, int observation, const AlphaVectors& next);

}  // namespace interpole::planning
