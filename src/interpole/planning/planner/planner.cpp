#include "interpole/planning/planner/planner.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "interpole/error.hpp"
#include "interpole/planning/bounds/point_based.hpp"
#include "interpole/planning/exact/exact.hpp"

namespace interpole::planning {
namespace {

// What the automatic choice grants the exact solver: some seconds of work, counted so that the choice is the
// same on every machine.
constexpr std::size_t kTrialVectors = 1'000;
constexpr long kTrialPrograms = 100'000;

ExactOptions exact_options(const PlanOptions& options, const Pomdp& pomdp) {
  ExactOptions exact;
  exact.horizon = options.horizon;
  exact.epsilon = options.epsilon.value_or(exact.epsilon);
  if (options.method == PlanMethod::kAutomatic && pomdp.state_count() != 2) {
    exact.most_vectors = kTrialVectors;
    exact.most_programs = kTrialPrograms;
  }
  return exact;
}

PointBasedOptions point_based_options(const PlanOptions& options) {
  PointBasedOptions points;
  points.horizon = options.horizon;
  points.epsilon = options.epsilon.value_or(points.epsilon);
  points.most_trials = options.most_trials;
  return points;
}

PlanSummary summary_of(ExactSummary exact) {
  const double value = exact.value.value(exact.value.pomdp().start);
  return {
      std::move(exact.value),    PlanMethod::kExact, exact.stop,   exact.converged, value - exact.error_bound,
      value + exact.error_bound, exact.error_bound,  exact.stages, exact.programs,  exact.lowest_change,
      exact.highest_change};
}

PlanSummary summary_of(PointBasedSummary points, long programs) {
  return {std::move(points.value),
          PlanMethod::kPointBased,
          points.stop,
          points.converged,
          points.lower,
          points.upper,
          points.largest_gap,
          points.trials,
          programs};
}

PlanSummary solve(const std::shared_ptr<const Pomdp>& pomdp, const PlanOptions& options, Sink& sink) {
  long programs = 0;
  if (options.method != PlanMethod::kPointBased) {
    ExactSummary exact = solve_exact(pomdp, exact_options(options, *pomdp), sink);
    const bool give_up = !exact.converged && exact.stop != PlanStop::kInterrupted;
    if (options.method == PlanMethod::kExact || !give_up) return summary_of(std::move(exact));
    programs = exact.programs;
    sink.note(
        fmt::format("exact planning met its limits after {} stages; going on with bounds", exact.stages));
  }
  return summary_of(solve_point_based(pomdp, point_based_options(options), sink), programs);
}

}  // namespace

PlanMethod plan_method_named(const std::string& name) {
  for (const PlanMethod method : {PlanMethod::kAutomatic, PlanMethod::kExact, PlanMethod::kPointBased}) {
    if (name == name_of(method)) return method;
  }
  throw usage_error(
      fmt::format("there is no planning method \"{}\"; choose one of: automatic, exact, point-based", name));
}

const char* name_of(PlanMethod method) {
  switch (method) {
    case PlanMethod::kAutomatic:
      return "automatic";
    case PlanMethod::kExact:
      return "exact";
    case PlanMethod::kPointBased:
      return "point-based";
  }
  return "";
}

void PlanOptions::validate(const Pomdp& pomdp) const {
  exact_options(*this, pomdp).validate(pomdp);
  point_based_options(*this).validate(pomdp);
}

PlanSummary plan(const Pomdp& pomdp, const PlanOptions& options, Sink& sink) {
  const auto begin = std::chrono::steady_clock::now();
  pomdp.validate("decision problem");
  options.validate(pomdp);
  PlanSummary summary = solve(std::make_shared<const Pomdp>(pomdp), options, sink);
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return summary;
}

}  // namespace interpole::planning
