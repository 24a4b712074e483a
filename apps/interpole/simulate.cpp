#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/simulate_task.hpp"
#include "verb.hpp"

namespace interpole::cli {

void add_simulate(CLI::App& program, int& exit_code) {
  struct Flags {
    SimulateRequest request;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("simulate", "Make records of a decision-maker whose mind is known");
  verb->add_option("environment", flags->request.environment,
                   "diag: an unbiased doctor; bias: one who trusts a test too much; tree: a guideline with a "
                   "vague threshold")
      ->required();
  verb->add_option("--patients", flags->request.options.patients, "how many records")->capture_default_str();
  verb->add_option("--output", flags->request.output, "visits table to write (CSV); - is standard output")
      ->default_str("-");
  verb->add_option("--truth", flags->request.truth,
                   "also write the true model (agent and world) to this file");
  add_seed(*verb, flags->common);
  add_threads(*verb, flags->common);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole simulate bias --patients 1000 --seed 1 --output bias.csv --truth truth.json\n"
               "  interpole simulate diag --patients 3"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    SimulateRequest request = flags->request;
    if (request.output.empty()) request.output = "-";
    request.options.seed = flags->common.seed;
    request.options.threads = flags->common.threads;
    const auto outcome = run_simulate(request, console);
    if (flags->common.json && request.output != "-") {
      fmt::print("{{\n  \"patients\": {},\n  \"decisions\": {}\n}}\n", outcome.patients, outcome.decisions);
    } else if (request.output != "-") {
      console.note(fmt::format("{} patients, {} decisions written to {}", outcome.patients, outcome.decisions,
                               request.output));
    }
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
