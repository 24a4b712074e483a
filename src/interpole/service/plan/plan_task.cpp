#include "interpole/service/plan/plan_task.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interpole/error.hpp"
#include "interpole/planning/files/alpha_file.hpp"
#include "interpole/planning/files/pomdp_file.hpp"
#include "interpole/service/run_files.hpp"

namespace interpole::service {

PlanOutcome run_plan(const PlanRequest& request, Sink& sink) {
  require_separate_files({{"option output", request.output}}, {{"the plan", request.problem}});
  planning::Pomdp problem = planning::read_pomdp(request.problem);
  if (request.discount) {
    if (!(*request.discount >= 0.0 && *request.discount <= 1.0)) {
      throw usage_error(fmt::format("option discount: {} is not between 0 and 1", *request.discount));
    }
    problem.discount = *request.discount;
  }
  planning::PlanSummary summary = planning::plan(problem, request.options, sink);
  if (summary.stop == planning::PlanStop::kInterrupted) {
    throw Error(ErrorKind::kInterrupted, "stopped; nothing was written");
  }
  planning::write_alpha(summary.value.vectors(), request.output);
  if (!summary.converged) {
    sink.warn(
        fmt::format("{} planning stopped before it was as accurate as asked: {}; values may be off by {:.3g}",
                    name_of(summary.method), name_of(summary.stop), summary.error_bound));
  }
  return {std::move(problem), std::move(summary)};
}

std::string to_json(const PlanOutcome& outcome, const PlanRequest& request) {
  const planning::PlanSummary& summary = outcome.summary;
  nlohmann::ordered_json json = {
      {"states", outcome.problem.states.size()},
      {"actions", outcome.problem.actions.size()},
      {"observations", outcome.problem.observations.size()},
      {"discount", outcome.problem.discount},
      {"horizon", nullptr},
      {"method", name_of(summary.method)},
      {"stop_reason", name_of(summary.stop)},
      {"converged", summary.converged},
      {"value_at_start", {{"lower", summary.lower}, {"upper", summary.upper}}},
      {"action_at_start", outcome.problem.actions[summary.value.action(outcome.problem.start)]},
      {"error_bound", summary.error_bound},
      {"vectors", summary.value.vectors().size()},
      {"iterations", summary.iterations},
      {"linear_programs", summary.programs},
      {"seconds", summary.seconds}};
  if (request.options.horizon) json["horizon"] = *request.options.horizon;
  return json.dump(2);
}

}  // namespace interpole::service
