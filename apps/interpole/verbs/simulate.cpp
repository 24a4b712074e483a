#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/study/simulate_task.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

void print(const service::SimulateOutcome& outcome, const std::string& output, bool json, Console& console) {
  if (json) {
    show("{{\n  \"patients\": {},\n  \"rows\": {},\n  \"records\": {},\n  \"decisions\": {}\n}}\n",
         outcome.patients, outcome.rows, outcome.records, outcome.decisions);
  } else if (outcome.rows == outcome.decisions) {
    console.note(
        fmt::format("{} patients, {} decisions written to {}", outcome.patients, outcome.decisions, output));
  } else {
    console.note(
        fmt::format("{} patients, {} rows written to {}; the study should keep {} of them with {} decisions",
                    outcome.patients, outcome.rows, output, outcome.records, outcome.decisions));
  }
}

}  // namespace

void add_simulate(CLI::App& program, int& exit_code) {
  struct Flags {
    service::SimulateRequest request;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("simulate", "Make records of a decision-maker whose beliefs are known");
  verb->add_option(
          "environment", flags->request.environment,
          "diag: an unbiased doctor; bias: one who trusts a test too much; tree: a guideline with a "
          "vague threshold; adni: when to order an MRI, as a table in ADNI's own format; ward: clinicians "
          "who see the world as it is but follow more than beliefs; kinds: clinicians of two kinds; starts: "
          "patients who arrive ill more or less often by sex and age; vitals: clinicians who see measured "
          "numbers and take a lactate for lower than it is; clinic: visits at irregular times")
      ->required();
  auto* patients = verb->add_option("--patients", flags->request.options.patients, "how many patients")
                       ->default_str("100; adni: 1737");
  verb->add_option("--longest", flags->request.options.longest,
                   "most visits of a patient; 0: the environment's own limit (adni: 20)")
      ->capture_default_str();
  verb->add_option("--boundary", flags->request.boundary,
                   "of diag and bias: the belief at which the doctor declares; 0.9 unless stated");
  verb->add_option("--format", flags->request.format, "of adni's table: adnimerge or tadpole")
      ->default_str("adnimerge");
  verb->add_option("--output", flags->request.output, "table to write (CSV); - is standard output")
      ->default_str("-");
  verb->add_option("--rows-per-file", flags->request.rows_per_file,
                   "write about so many rows to each of several files, NAME-00001.csv and on for NAME.csv; a "
                   "patient's rows stay together")
      ->check(CLI::PositiveNumber);
  verb->add_option("--truth", flags->request.truth,
                   "also write the true model (agent and world) to this file");
  add_common(*verb, flags->common);
  verb->footer(
      examples("  interpole simulate bias --patients 1000 --seed 1 --output bias.csv --truth truth.json\n"
               "  interpole simulate diag --patients 3\n"
               "  interpole simulate vitals --patients 1000 --seed 1 --output vitals.csv --truth truth.json\n"
               "  interpole simulate adni --seed 1 --output adnimerge.csv --truth truth.json\n"
               "  interpole simulate diag --patients 100000 --rows-per-file 500000 --output parts.csv"));
  verb->callback([flags, patients, &exit_code] {
    Console console(flags->common.quiet);
    service::SimulateRequest request = flags->request;
    if (request.output.empty()) request.output = "-";
    request.options.seed = flags->common.seed;
    request.options.threads = flags->common.threads;
    if (patients->count() == 0) {
      request.options.patients = environment_named(request.environment).typical_patients;
    }
    const auto outcome = service::run_simulate(request, console);
    const std::string where = request.output + (request.rows_per_file > 0 ? " in parts" : "");
    if (request.output != "-") print(outcome, where, flags->common.json, console);
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
