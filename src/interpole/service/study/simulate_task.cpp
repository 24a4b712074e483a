#include "interpole/service/study/simulate_task.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interpole/environments/adni/adni_table.hpp"
#include "interpole/environments/write_visits.hpp"
#include "interpole/error.hpp"
#include "interpole/model_file.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/version.hpp"

namespace interpole::service {
namespace {

environments::AdniFormat format_of(const SimulateRequest& request) {
  return request.format.empty() ? environments::AdniFormat::kAdnimerge
                                : environments::adni_format_named(request.format);
}

SimulateOutcome write_table(const Environment& environment, const SimulateRequest& request, Sink& sink) {
  SimulateOutcome outcome;
  outcome.patients = request.options.patients;
  if (environment.name == "adni") {
    const environments::AdniTableSummary table = environments::write_adni_table(
        request.output, request.options, format_of(request), sink, request.rows_per_file);
    outcome.rows = table.rows;
    outcome.records = table.records;
    outcome.decisions = table.decisions;
  } else {
    if (!request.format.empty()) {
      throw usage_error(fmt::format(
          "format: \"{}\" is a format of adni; \"{}\" writes a visits table: leave option format out",
          request.format, environment.name));
    }
    outcome.rows = outcome.decisions =
        environments::write_visits(request.output, environment, request.options, sink, request.rows_per_file);
    outcome.records = outcome.patients;
  }
  return outcome;
}

}  // namespace

SimulateOutcome run_simulate(const SimulateRequest& request, Sink& sink) {
  Environment environment = environment_named(request.environment);
  request.options.validate();
  require_separate_files({{"option output", request.output}, {"option truth", request.truth}});
  if (request.boundary) {
    if (environment.name != "diag" && environment.name != "bias") {
      throw usage_error(
          fmt::format("option boundary: only diag and bias have one; leave it out for {}", environment.name));
    }
    declare_at(environment, *request.boundary);
  }
  const SimulateOutcome outcome = write_table(environment, request, sink);
  if (!request.truth.empty()) {
    const nlohmann::ordered_json extras = {{"provenance",
                                            {{"program", "interpole"},
                                             {"version", version()},
                                             {"simulated", environment.name},
                                             {"patients", request.options.patients},
                                             {"seed", request.options.seed}}}};
    write_model(request.truth, environment.truth, extras.dump());
  }
  return outcome;
}

}  // namespace interpole::service
