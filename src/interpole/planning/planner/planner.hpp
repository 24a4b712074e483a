// The front door: plans for a problem by the method that suits it.
//
// kAutomatic takes the exact solver (exact.hpp) and, if it meets its limits before it is done, the
// point-based one (point_based.hpp). With two states the exact one always suits.
#pragma once

#include <optional>
#include <string>

#include "interpole/planning/plan_stop.hpp"
#include "interpole/planning/value_function.hpp"
#include "interpole/sink.hpp"

namespace interpole::planning {

enum class PlanMethod { kAutomatic, kExact, kPointBased };

// "automatic", "exact" or "point-based". Throws a usage error that lists these for any other name.
PlanMethod plan_method_named(const std::string& name);
const char* name_of(PlanMethod method);

struct PlanOptions {
  PlanMethod method = PlanMethod::kAutomatic;
  std::optional<int> horizon;     // decisions to plan for; none: without end (needs a discount below 1)
  std::optional<double> epsilon;  // accuracy in units of reward; none: 1e-6 exact, 1e-3 point-based
  int most_trials = 2'000;        // of the point-based method

  void validate(const Pomdp& pomdp) const;  // throws a usage error
};

struct PlanSummary {
  ValueFunction value;  // exact: the value itself; point-based: what its actions earn, at least
  PlanMethod method = PlanMethod::kExact;  // the one used
  PlanStop stop = PlanStop::kHorizon;
  bool converged = false;
  double lower = 0.0;  // the optimal value at the start belief lies between these. Gains: negated where the
  double upper = 0.0;  // problem states costs
  double error_bound = 0.0;    // exact: at any belief; point-based: the largest gap at any belief visited
  int iterations = 0;          // exact: stages; point-based: trials
  long programs = 0;           // linear programs solved
  double lowest_change = 0.0;  // exact without a horizon: of the last stage (exact.hpp)
  double highest_change = 0.0;
  double seconds = 0.0;
};

PlanSummary plan(const Pomdp& pomdp, const PlanOptions& options = {}, Sink& sink = quiet_sink());

}  // namespace interpole::planning
