#include "interpole/service/explain/bias_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/error.hpp"
#include "interpole/evaluate/folds.hpp"
#include "interpole/fit.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/service/checked_records.hpp"
#include "interpole/service/checks_json.hpp"
#include "interpole/service/intervals_json.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

// τ is not in a model file: as wide as the weights that were found, and not narrower than is of any use.
double scale_of(const PolicyTerm& term) {
  double squares = 0.0;
  for (const double w : term.weights) squares += w * w;
  return std::max(0.1, std::sqrt(squares / static_cast<double>(term.weights.size())));
}

Json finding_json(const BiasFinding& finding) {
  Json json = {{"parameter", finding.name},
               {"agent", estimate_json(finding.agent)},
               {"world", estimate_json(finding.world)},
               {"difference", estimate_json(finding.difference)},
               {"probability_beyond_margin", finding.exceeds}};
  if (finding.row_probability) json["row_probability"] = *finding.row_probability;
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
          {"action_frequency", actions}};
}

// Records go to halves as to two folds.
std::array<HistoryTree, 2> halves_of(const BiasRequest& request, const Study& study,
                                     const std::vector<PolicyCovariate>& covariates) {
  evaluate::FoldBuilder builder(study.structure.action_count(), 2, request.seed);
  data::for_each_record_in_context(study, request.data, covariates,
                                   [&](const data::RecordView& record, std::span<const double> values) {
                                     builder.add(record.steps, values);
                                   });
  evaluate::FoldTrees trees = builder.build();
  return {std::move(trees.train[0]), std::move(trees.train[1])};
}

learn::Shares shares_of(const BiasRequest& request, const FitResult& fit, const Study& study,
                        const std::vector<PolicyCovariate>& covariates, Sink& sink) {
  if (!fit.has_uncertainty()) {
    throw input_error(
        fmt::format("{}: the model does not say what was learned, so nothing can be fitted again without a "
                    "part of it; fit it "
                    "again, or leave option shares out",
                    request.model));
  }
  DecisionProblem problem = fit.uncertainty->problem;
  problem.priors = study.priors;
  const auto& terms = fit.model.agent.policy.terms.additive;
  for (const PolicyTerm& term : terms) problem.priors.term_scales.push_back(scale_of(term));
  const AgentWorld at{fit.model.agent, fit.model.world};
  const auto& first = fit.uncertainty->uncertainty.components.front();
  return learn::shares_of(halves_of(request, study, covariates), {problem, at, first.scales}, {},
                          request.threads, [&] { return sink.stop_requested(); });
}

Json shares_json(const learn::Shares& shares) {
  Json parts = Json::object();
  for (const learn::IngredientShare& part : shares.parts) {
    parts[part.name] = {{"nats_per_decision", part.nats},
                        {"share", shares.gained > 0.0 ? Json(part.nats / shares.gained) : Json(nullptr)}};
  }
  return {{"gained_nats_per_decision", shares.gained},
          {"log_loss_of_frequencies", shares.frequencies},
          {"parts", parts},
          {"fits", shares.fits}};
}

}  // namespace

std::string shares_sentence(const learn::Shares& shares) {
  if (!(shares.gained > 0.0)) {
    return "In records that were not fitted, decisions are not foreseen better than by how often each action "
           "is "
           "taken: there is nothing to share out.";
  }
  std::vector<learn::IngredientShare> parts = shares.parts;
  std::stable_sort(parts.begin(), parts.end(), [](const auto& x, const auto& y) { return x.nats > y.nats; });
  std::string list;
  for (const learn::IngredientShare& part : parts) {
    const long percent = std::lround(100.0 * part.nats / shares.gained);
    list += fmt::format("{}{} {}%", list.empty() ? "" : ", ", part.name, percent);
  }
  return fmt::format(
      "Of what makes decisions foreseeable in records that were not fitted ({:.3f} nats a decision beyond "
      "how "
      "often each action is taken): {}.",
      shares.gained, list);
}

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
  ModelCheckOptions check_options;
  check_options.covariates = records.covariates;
  const ModelChecks checks = check_on_files(fit, records.tree, check_options, request.data);
  AgentWorldComparison found =
      compare_agent_and_world(fit, posterior.draws, &records.tree, request.options, &checks);
  BiasOutcome outcome{model.structure,      std::move(found), fit.quality.log_bayes_factor,
                      fit.quality.warnings, posterior.source, {}};
  if (request.shares) {
    const auto& followed = model.agent.policy.terms.covariates;
    outcome.shares = shares_of(request, fit, study, followed, sink);
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
