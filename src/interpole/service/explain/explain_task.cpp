#include "interpole/service/explain/explain_task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/policy/kind_words.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/known_patient.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

data::KeptRecord find_record(const Study& study, const ExplainRequest& request,
                             const std::vector<PolicyCovariate>& covariates) {
  data::KeptRecord found;
  data::for_each_record_in_context(
      study, request.data, covariates,
      [&](const data::RecordView& record, std::span<const double> values) {
        if (record.patient != request.patient) return;
        found = data::kept(record);
        found.covariates.assign(values.begin(), values.end());
      },
      data::RecordDetails::kVisits);
  if (found.steps.empty()) throw unknown_patient(study, request.data, request.patient);
  return found;
}

}  // namespace

ExplainOutcome run_explain(const ExplainRequest& request, Sink& sink) {
  const FitResult fit = read_fit(request.model);
  const Model& model = fit.model;
  const Study study = study_of_model(request.study, request.model, model.structure);
  const auto covariates = covariates_of(model.agent, study, request.data, sink);
  const data::KeptRecord record = find_record(study, request, covariates);
  ExplainOutcome outcome;
  outcome.patient = record.patient;
  outcome.structure = model.structure;
  outcome.factors = outcome_factors(study);
  const learn::PosteriorDraws posterior = learn::posterior_draws_if_any(fit, request.draws, request.seed);
  VisitExplanations explained =
      explain_visits(model, outcome.factors, record.steps, posterior.draws, request.level, record.covariates);
  if (explained.impossible) {
    const std::size_t t = *explained.impossible;
    throw impossible_outcome(model.structure, request.data, record.patient,
                             shown_place(record.visits, record.numbers, t), record.steps[t].action,
                             record.steps[t].observation, "the model",
                             "correct the table, or use a model that allows it");
  }
  outcome.visits = std::move(explained.visits);
  outcome.kinds = std::move(explained.kinds);
  outcome.likeliest_kind = explain::likeliest_kind(outcome.kinds);
  for (std::size_t t = 0; t < outcome.visits.size(); ++t) {
    outcome.visits[t].visit = record.visits.empty() ? std::to_string(record.numbers[t]) : record.visits[t];
  }
  outcome.source = posterior.source;
  outcome.warnings = fit.quality.warnings;
  for (const std::string& warning : outcome.warnings) sink.warn(warning);
  return outcome;
}

const VisitExplanation& visit_named(const ExplainOutcome& outcome, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& visit : outcome.visits) names.push_back(visit.visit);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw usage_error(fmt::format("option visit: patient {} has no visit {}{}", base::shown(outcome.patient),
                                  base::shown(name), base::suggestion(name, names, "the visits are")));
  }
  return outcome.visits[found - names.begin()];
}

}  // namespace interpole::service
