#include "interpole/service/explain/check_task.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interpole/base/json/json_number.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/result/fitted_again.hpp"
#include "interpole/service/checked_records.hpp"
#include "interpole/service/checks_json.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

evaluate::HeldOutRivals held_out(const CheckRequest& request, const FitResult& fit, Study study,
                                 const CheckedRecords& records, Sink& sink) {
  if (records.tree.records < request.folds) {
    evaluate::HeldOutRivals none;
    none.not_compared =
        fmt::format("{} records cannot be dealt to {} folds", records.tree.records, request.folds);
    return none;
  }
  evaluate::FoldBuilder builder(fit.model.structure.action_count(), request.folds, request.seed,
                                data::start_places(fit.model.agent.dynamics.start));
  if (request.data.counts) builder.forget_order();
  data::for_each_record_in_context(study, request.data, records.covariates,
                                   [&](const data::RecordView& record, std::span<const double> covariates) {
                                     builder.add(record.steps, covariates, record.count);
                                   });
  study.known.policy.terms.covariates = records.covariates;
  evaluate::HeldOutOptions options;
  options.seed = request.seed;
  options.threads = request.options.threads;
  return evaluate::compare_with_rivals(fit, builder.build(), study, options, sink);
}

Json checked_difference_json(const evaluate::Difference& difference) {
  Json json = {{"mean", base::json_number(difference.mean)}, {"interval", nullptr}};
  if (difference.interval) json["interval"] = {difference.interval->low, difference.interval->high};
  return json;
}

Json held_out_json(const std::optional<evaluate::HeldOutRivals>& held_out) {
  if (!held_out) return nullptr;
  Json rivals = Json::array();
  for (const evaluate::Rival& rival : held_out->rivals) {
    rivals.push_back({{"learner", rival.learner},
                      {"log_loss", checked_difference_json(rival.log_loss)},
                      {"auroc", checked_difference_json(rival.auroc)},
                      {"share_of_gain", base::json_number(rival.gain_share)},
                      {"clearly_better", rival.clearly_better},
                      {"sentence", rival.sentence}});
  }
  Json json = {{"folds", held_out->folds},
               {"log_loss", base::json_number(held_out->log_loss)},
               {"majority_log_loss", base::json_number(held_out->majority)},
               {"failed", held_out->failed()},
               {"rivals", rivals}};
  if (!held_out->not_compared.empty()) json["not_compared"] = held_out->not_compared;
  return json;
}

}  // namespace

CheckOutcome run_check(const CheckRequest& request, Sink& sink) {
  request.options.validate();
  if (request.folds == 1 || request.folds < 0) {
    throw usage_error(
        fmt::format("option folds: {} cannot be dealt; ask for two or more, or for 0 to leave rivals out",
                    request.folds));
  }
  const FitResult fit = read_fit(request.model);
  const Study study = study_of_model(request.study, request.model, fit.model.structure);
  const CheckedRecords records =
      read_checked_records(study, request.data, fit.model, RecordClasses::kTogether, sink);
  ModelCheckOptions options = request.options;
  options.covariates = records.covariates;
  CheckOutcome outcome{check_on_files(fit, records.tree, options, request.data), {}, {}};
  if (const auto one =
          learn::with_one_set_of_dynamics(fit, study.priors, records.tree, options.threads, sink)) {
    options.hidden_information = false;  // weighed above, for one set of dynamics
    outcome.as_one = check_on_files(*one, records.tree, options, request.data);
  }
  if (request.folds > 0) outcome.held_out = held_out(request, fit, study, records, sink);
  for (const std::string& note : outcome.found.not_checked) sink.warn(note);
  return outcome;
}

std::string to_json(const CheckOutcome& outcome) {
  Json json = {{"failed", outcome.found.failed().size()},     {"misfit", outcome.found.misfit},
               {"checks", checks_json(outcome.found, true)},  {"agent_and_world_as_one", nullptr},
               {"held_out", held_out_json(outcome.held_out)}, {"unrecorded_sign", sign_json(outcome.found)},
               {"not_checked", outcome.found.not_checked}};
  if (outcome.as_one) {
    json["agent_and_world_as_one"] = {{"failed", outcome.as_one->failed().size()},
                                      {"misfit", outcome.as_one->misfit},
                                      {"checks", checks_json(*outcome.as_one, true)}};
  }
  return json.dump(2);
}

}  // namespace interpole::service
