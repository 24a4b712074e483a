// Leaves of a set of alpha-vectors those that are highest somewhere, for any number of states.
//
// A vector is dropped only if a linear program shows that nowhere does it rise above the vectors kept by more
// than `tolerance`: dropping changes the value by no more than that. Beliefs at which a vector was needed are
// remembered and tried first in later sets, which saves most programs for vectors that stay.
#pragma once

#include <span>
#include <vector>

#include "interpole/planning/alpha_vectors.hpp"
#include "interpole/planning/exact/witness_program.hpp"
#include "interpole/planning/plan_stop.hpp"
#include "interpole/sink.hpp"

namespace interpole::planning {

struct PruningLimits {
  double tolerance = 0.0;
  std::size_t most_vectors = 10'000;  // kept in any one set
  long most_programs = 2'000'000;     // linear programs in all
};

class Pruner {
 public:
  // All functions throw PlanningCut when a limit is reached or the sink asks to stop.
  Pruner(int states, const PruningLimits& limits, const Sink& sink);

  AlphaVectors prune(const AlphaVectors& candidates);
  // Of all sums of a vector of `a` and one of `b`; actions are those of `a`.
  AlphaVectors prune_sums(const AlphaVectors& a, const AlphaVectors& b);
  // The most by which `over` exceeds `under` at any belief.
  double largest_excess(const AlphaVectors& over, const AlphaVectors& under);
  // The same over the remembered beliefs and the corners only: a lower bound, without a program.
  double excess_at_hints(const AlphaVectors& over, const AlphaVectors& under) const;

  double tolerance() const { return limits_.tolerance; }
  void set_tolerance(double tolerance) { limits_.tolerance = tolerance; }
  long programs() const { return program_.solved(); }

 private:
  void check_limits(std::size_t kept) const;
  void remember(std::span<const double> belief);
  std::vector<double> above(std::span<const double> vector, const AlphaVectors& others) const;

  std::size_t states_;
  PruningLimits limits_;
  const Sink& sink_;
  WitnessProgram program_;
  std::vector<std::vector<double>> hints_;  // the corners, then a ring of witnesses
  std::size_t next_hint_ = 0;
};

}  // namespace interpole::planning
