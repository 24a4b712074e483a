#include "interpole/service/explain/bias_task.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/service/checked_records.hpp"
#include "interpole/service/checks_json.hpp"
#include "interpole/service/explain/shares_task.hpp"
#include "interpole/service/intervals_json.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

Json finding_json(const BiasFinding& finding) {
  Json json = {{"parameter", finding.name},
               {"agent", estimate_json(finding.agent)},
               {"world", estimate_json(finding.world)},
               {"difference", estimate_json(finding.difference)},
               {"probability_beyond_margin", finding.exceeds}};
  if (finding.row_probability) json["row_probability"] = *finding.row_probability;
  if (finding.measured) json["measured"] = true;
  json["flagged"] = finding.flagged;
  if (finding.flagged)
    json["removable_by"] = finding.removable_by ? Json(*finding.removable_by) : Json(nullptr);
  return json;
}

Json cost_json(const Structure& structure, const BiasCost& cost) {
  Json actions = Json::object();
  for (std::size_t a = 0; a < cost.actions.size(); ++a) {
    actions[structure.actions[a]] = {{"agent", estimate_json(cost.actions[a].now)},
                                     {"with_the_worlds_dynamics", estimate_json(cost.actions[a].then)}};
  }
  return {{"changed_decisions", estimate_json(cost.changed)},
          {"other_most_likely_action", estimate_json(cost.other_choice)},
          {"changed_by_chance", estimate_json(cost.by_chance)},
          {"changed_beyond_chance", estimate_json(cost.excess)},
          {"other_most_likely_action_beyond_chance", estimate_json(cost.other_choice_excess)},
          {"action_frequency", actions}};
}

}  // namespace

BiasOutcome run_bias(const BiasRequest& request, Sink& sink) {
  request.options.validate();
  const FitResult fit = read_fit(request.model);
  const Model& model = fit.model;
  if (!model.world) {
    throw input_error(fmt::format(
        "{}: the model has no world beside its agent, so there is nothing to compare; fit it with "
        "option dynamics coupled",
        request.model));
  }
  const Study study = study_of_model(request.study, request.model, model.structure);
  const CheckedRecords records =
      read_checked_records(study, request.data, model, RecordClasses::kApart, sink);
  const learn::PosteriorDraws posterior = learn::posterior_draws(fit, request.draws, request.seed);
  if (!posterior.draws.front().world) {
    throw input_error(
        fmt::format("{}: the draws have no columns of a world (world.…); sample with option dynamics coupled",
                    request.draws));
  }
  ModelCheckOptions check_options = checks_for_verdict(fit);
  check_options.covariates = records.covariates;
  const ModelChecks checks = check_on_files(fit, records.tree, check_options, request.data);
  AgentWorldComparison found =
      compare_agent_and_world(fit, posterior.draws, &records.tree, request.options, &checks);
  BiasOutcome outcome{model.structure,      std::move(found), fit.quality.log_bayes_factor,
                      fit.quality.warnings, posterior.source, {}};
  if (request.shares) {
    outcome.shares =
        shares_on_files({request.model, request.data, request.seed, request.threads}, fit, study, sink);
  }
  for (const std::string& warning : outcome.warnings) sink.warn(warning);
  return outcome;
}

std::string to_json(const BiasOutcome& outcome) {
  Json findings = Json::array();
  const BiasAudit& audit = outcome.found.audit;
  for (const BiasFinding& finding : audit.findings) findings.push_back(finding_json(finding));
  Json json = {
      {"verdict", name_of(outcome.found.verdict)},
      {"reasons", outcome.found.reasons},
      {"sentences", outcome.found.sentences},
      {"log_bayes_factor", outcome.log_bayes_factor ? Json(*outcome.log_bayes_factor) : Json(nullptr)},
      {"tempered_log_bayes_factor", outcome.found.log_odds ? Json(*outcome.found.log_odds) : Json(nullptr)},
      {"misfit", outcome.found.checks.misfit},
      {"removable_by", outcome.found.removable_by ? Json(*outcome.found.removable_by) : Json(nullptr)},
      {"unrecorded_sign", sign_json(outcome.found.checks)},
      {"parameters", findings},
      {"draws", audit.draws},
      {"intervals_from", outcome.source},
      {"checks", checks_json(outcome.found.checks, false)},
      {"warnings", outcome.warnings}};
  if (outcome.shares) json["shares"] = shares_json(*outcome.shares);
  if (audit.cost) json["cost"] = cost_json(outcome.structure, *audit.cost);
  return json.dump(2);
}

}  // namespace interpole::service
