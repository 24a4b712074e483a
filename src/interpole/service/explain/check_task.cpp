#include "interpole/service/explain/check_task.hpp"

#include <nlohmann/json.hpp>

#include "interpole/learn/result/fitted_again.hpp"
#include "interpole/service/checked_records.hpp"
#include "interpole/service/checks_json.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {

CheckOutcome run_check(const CheckRequest& request, Sink& sink) {
  request.options.validate();
  const FitResult fit = read_fit(request.model);
  const Study study = study_of_model(request.study, request.model, fit.model.structure);
  const CheckedRecords records =
      read_checked_records(study, request.data, fit.model, RecordClasses::kTogether, sink);
  ModelCheckOptions options = request.options;
  options.covariates = records.covariates;
  CheckOutcome outcome{check_on_files(fit, records.tree, options, request.data), {}};
  if (const auto one =
          learn::with_one_set_of_dynamics(fit, study.priors, records.tree, options.threads, sink)) {
    options.hidden_information = false;  // weighed above, for one set of dynamics
    outcome.as_one = check_on_files(*one, records.tree, options, request.data);
  }
  for (const std::string& note : outcome.found.not_checked) sink.warn(note);
  return outcome;
}

std::string to_json(const CheckOutcome& outcome) {
  nlohmann::ordered_json json = {
      {"failed", outcome.found.failed().size()},     {"misfit", outcome.found.misfit},
      {"checks", checks_json(outcome.found, true)},  {"agent_and_world_as_one", nullptr},
      {"unrecorded_sign", sign_json(outcome.found)}, {"not_checked", outcome.found.not_checked}};
  if (outcome.as_one) {
    json["agent_and_world_as_one"] = {{"failed", outcome.as_one->failed().size()},
                                      {"misfit", outcome.as_one->misfit},
                                      {"checks", checks_json(*outcome.as_one, true)}};
  }
  return json.dump(2);
}

}  // namespace interpole::service
