#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/plan/plan_task.hpp"
#include "streams.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

struct PlanFlags {
  service::PlanRequest request;
  std::string method = "auto";
  bool strict = false;
  Common common;
};

planning::PlanMethod method_of(const std::string& name) {
  if (name == "auto") return planning::PlanMethod::kAutomatic;
  if (name == "point") return planning::PlanMethod::kPointBased;
  return planning::plan_method_named(name);
}

void print_plan(const service::PlanOutcome& outcome) {
  const planning::PlanSummary& summary = outcome.summary;
  print_rows({{"method", name_of(summary.method)},
              {"stopped by", name_of(summary.stop)},
              {"value at the start", fmt::format("{:.6g} to {:.6g}", summary.lower, summary.upper)},
              {"first action", outcome.problem.actions[summary.value.action(outcome.problem.start)]},
              {"vectors", fmt::format("{}", summary.value.vectors().size())},
              {"seconds", fmt::format("{:.3f}", summary.seconds)}});
}

}  // namespace

void add_plan(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<PlanFlags>();
  auto* verb = program.add_subcommand("plan", "What is best to do: the value function of a .pomdp file");
  verb->add_option("problem", flags->request.problem, "problem (.pomdp)")->required();
  verb->add_option("--output", flags->request.output,
                   "value function to write (.alpha); - is standard output")
      ->required();
  verb->add_option("--horizon", flags->request.options.horizon,
                   "decisions to plan for; default: without end, which needs a discount below 1")
      ->check(CLI::PositiveNumber);
  verb->add_option("--discount", flags->request.discount, "in place of the file's own");
  verb->add_option("--method", flags->method, "exact, point (bounds from both sides) or auto")
      ->capture_default_str();
  verb->add_option("--epsilon", flags->request.options.epsilon,
                   "accuracy in units of reward; default: 1e-6 exact, 1e-3 point");
  verb->add_flag("--strict", flags->strict, "exit with 4 if the plan is less accurate than asked");
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole plan tiger.pomdp --output tiger.alpha\n"
               "  interpole plan clinic.pomdp --horizon 25 --method exact --output clinic.alpha --json"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    service::PlanRequest request = flags->request;
    request.options.method = method_of(flags->method);
    if (flags->common.json && request.output == "-") {
      throw CLI::ValidationError("--json and --output - would share standard output; give a file");
    }
    const service::PlanOutcome outcome = service::run_plan(request, console);
    if (flags->common.json) {
      show("{}\n", service::to_json(outcome, request));
    } else if (request.output != "-") {
      print_plan(outcome);
    }
    exit_code = flags->strict && !outcome.summary.converged ? kNotConverged : kOk;
  });
}

}  // namespace interpole::cli
