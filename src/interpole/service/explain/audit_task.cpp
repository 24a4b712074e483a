#include "interpole/service/explain/audit_task.hpp"

#include <fmt/format.h>

#include "interpole/base/stop.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/cohorts/asked_cohorts.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/service/explain/audit_table.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/publication/publication.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/service/same_inputs.hpp"

namespace interpole::service {
namespace {

AuditOptions options_of(const AuditRequest& request) {
  AuditOptions options = request.options;
  if (request.certainty) options.certainty = *request.certainty;
  options.validate();
  return options;
}

learn::PosteriorDraws draws_of(const AuditRequest& request, const FitResult& fit) {
  if (request.draws.empty() && !fit.has_uncertainty() && request.certainty.value_or(0.0) > 0.0) {
    throw input_error(
        fmt::format("{}: the model does not say how sure it is, so flags cannot be cut at a certainty; "
                    "fit it again, give posterior draws by option draws, or leave option certainty out",
                    request.model));
  }
  return learn::posterior_draws_if_any(fit, request.draws, request.options.seed);
}

}  // namespace

AuditOutcome run_audit(const AuditRequest& request, Sink& sink) {
  AuditOptions options = options_of(request);
  request.tables.validate();
  const NamedFiles inputs = with_data(
      {{"option model", request.model}, {"option study", request.study}, {"option draws", request.draws}},
      request.data);
  require_separate_files({{"option csv", request.csv}, {"option ledger", request.ledger}}, inputs);
  if (request.list && !request.ledger.empty())
    throw usage_error("option list: names of patients are not for publication; leave out option ledger");
  require_same_inputs(inputs);
  const FitResult fit = read_fit(request.model);
  const Model& model = fit.model;
  const Study study = study_of_model(request.study, request.model, model.structure);
  auto cohorts = explain::asked_cohorts(request.cohorts, study, request.data);
  AuditOutcome outcome;
  outcome.structure = model.structure;
  outcome.min_cell = request.tables.min_cell;
  outcome.rules = explain::audit_rules(model.structure, outcome_factors(study), options);
  const learn::PosteriorDraws posterior = draws_of(request, fit);
  if (posterior.draws.empty()) options.certainty = 0.0;  // nobody knows
  outcome.options = options;
  outcome.certainty = options.certainty;
  const auto covariates = covariates_of(model.agent, study, request.data, sink);
  const HistoryTree tree = data::read_tree_in_context(study, request.data, covariates, RecordClasses::kApart);
  explain::withhold_belated(fit, tree, options, outcome.rules);
  const explain::Audit audit(tree, model, posterior.draws, outcome.rules, options);
  if (audit.impossible()) {
    throw impossible_outcome(study, request.data, tree, *audit.impossible(), "the model",
                             "correct the table, or use a model that allows it");
  }
  outcome.least_move = audit.least_move();
  outcome.draws = audit.draws();
  outcome.source = posterior.source;
  outcome.simulated = audit.unlikely().simulated();
  const PublishedFlags flags{request.model, request.draws, options};
  std::optional<explain::Ledger> ledger =
      open_ledger({request.ledger, request.study, request.data, request.tables.min_cell}, &flags);
  explain::CohortOptions tables = request.tables;
  if (ledger) tables.published = ledger->published();
  const auto names = explain::needed_covariates(study, explain::with_published(cohorts, tables.published));
  explain::CohortData patients(names);
  std::optional<AuditTable> table;
  if (!request.csv.empty()) table.emplace(request.csv, names);
  const auto columns = data::with_followed(names, study, request.data, covariates);
  data::CovariateEncoder encoder(covariates, columns, request.data);
  data::for_each_record_with(
      study, request.data, columns, [&](const data::RecordView& record, std::span<const std::string> texts) {
        base::stop_if_asked(sink);
        const auto values = texts.first(names.size());
        const auto followed = encoder.of(texts);
        const RecordAudit found = audit.of(record.steps, followed);
        patients.add(explain::flags_of(found, audit.imputed(record.steps, followed)), values, record.group);
        if (table) table->add(record, found, values);
        if (!request.list) return;
        if (!found.belated && !found.unlikely && !found.any_uninformative()) return;
        outcome.flagged.push_back({std::string(record.patient), found, visit_names(record)});
      });
  if (table) table->commit();
  if (request.cohorts.empty()) cohorts = explain::default_cohorts(patients, names);
  outcome.tables = explain::cohort_tables(patients, cohorts, tables);
  if (request.cohorts.empty()) explain::leave_out_unnameable(outcome.tables);
  if (ledger) ledger->add(explain::published_by(outcome.tables));
  outcome.tests = explain::test_values(tree, model, outcome.rules.tests(), request.tables.min_cell);
  outcome.warnings = fit.quality.warnings;
  if (posterior.draws.empty()) {
    outcome.warnings.emplace_back(
        "the model does not say how sure it is, so nobody knows how certain flags are: they are those of its "
        "numbers taken as known");
  }
  for (const std::string& warning : outcome.warnings) sink.warn(warning);
  return outcome;
}

}  // namespace interpole::service
