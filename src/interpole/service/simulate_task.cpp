#include "interpole/service/simulate_task.hpp"

#include <nlohmann/json.hpp>

#include "interpole/base/version.hpp"
#include "interpole/environments/write_visits.hpp"
#include "interpole/model/model_file.hpp"

namespace interpole {

SimulateOutcome run_simulate(const SimulateRequest& request, Sink& sink) {
  const Environment environment = environment_named(request.environment);
  request.options.validate();
  SimulateOutcome outcome;
  outcome.patients = request.options.patients;
  outcome.decisions = write_visits(request.output, environment, request.options, sink);
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

}  // namespace interpole
