#include "interpole/service/explain/check_task.hpp"

#include <nlohmann/json.hpp>

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
  CheckOutcome outcome{check_on_files(fit, records.tree, options, request.data)};
  for (const std::string& note : outcome.found.not_checked) sink.warn(note);
  return outcome;
}

std::string to_json(const CheckOutcome& outcome) {
  const nlohmann::ordered_json json = {{"failed", outcome.found.failed().size()},
                                       {"checks", checks_json(outcome.found, true)},
                                       {"unrecorded_sign", sign_json(outcome.found)},
                                       {"not_checked", outcome.found.not_checked}};
  return json.dump(2);
}

}  // namespace interpole::service
